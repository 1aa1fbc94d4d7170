import { test } from "bun:test";
import { probe, type Program } from "./programs.ts";

/** Whether a tool of the machine can be used; where it cannot, that is printed, and is a failure in CI. */
export function has(tool: Program, rows: string): boolean {
  const isThere = probe(tool) !== undefined;
  if (!isThere) console.warn(`${tool} is missing: ${rows} not run`);
  test(`${tool} can be used for ${rows}`, () => {
    if (!isThere && process.env["CI"]) throw new Error(`${tool} is missing: ${rows} not run`);
  });
  return isThere;
}
