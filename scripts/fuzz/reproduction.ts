import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Violation } from "./oracles/violation.ts";
import type { Play } from "./script.ts";

/** A play that broke a promise, with what was broken. */
export type Reproduction = Violation & {
  readonly play: Play;
  /** False when it broke the promise once and not again. */
  readonly isRepeatable: boolean;
};

/** Writes a reproduction file and returns its path. */
export function writeReproduction(folder: string, reproduction: Reproduction): string {
  mkdirSync(folder, { recursive: true });
  const { oracle, play } = reproduction;
  const file = join(folder, `${oracle}-${play.set}-${play.scripts[0]?.seed ?? 0}.json`);
  writeFileSync(file, `${JSON.stringify(reproduction, null, 2)}\n`);
  return file;
}

/** The play of a reproduction file; throws an Error of one sentence when it is not one. */
export function readReproduction(file: string): Play {
  try {
    const { play } = JSON.parse(readFileSync(file, "utf8")) as Reproduction;
    if (Array.isArray(play.scripts)) return play;
  } catch {
    // The same sentence as below.
  }
  throw new Error(`Cannot replay "${file}": it is not a reproduction file`);
}
