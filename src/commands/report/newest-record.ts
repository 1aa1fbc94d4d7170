import { statSync } from "node:fs";
import { machineSources } from "./read-usage.ts";
import { machineImports } from "./read-with-imports.ts";

/** By its last event; ms since 1970. */
export function newestRecordBefore(folder: string, toMs: number): number | undefined {
  const files = [machineSources(folder, -Infinity), machineImports(folder, -Infinity)];
  const times = files
    .flatMap(({ sources }) => sources)
    .map(({ file }) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
    .filter((ms) => ms < toMs);
  return times.length === 0 ? undefined : times.reduce((one, other) => Math.max(one, other));
}
