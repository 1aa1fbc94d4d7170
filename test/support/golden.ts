import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export type SpokenLine = {
  readonly at_ms: number;
  readonly from: "client" | "server";
  readonly line: string;
};

export const goldenRoot = join(import.meta.dir, "..", "golden");

export function readSession(file: string): SpokenLine[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => parseSpoken(JSON.parse(text)));
}

function parseSpoken(raw: unknown): SpokenLine {
  if (typeof raw !== "object" || raw === null) throw new Error("a recorded line is an object");
  const { at_ms: atMs, from, line }: Record<string, unknown> = { ...raw };
  const whole = typeof atMs === "number" && typeof line === "string";
  if (!whole || (from !== "client" && from !== "server")) throw new Error("not a recorded line");
  return { at_ms: atMs, from, line };
}

/** Writes a recording, unless the file already says the same words in the same order. */
export function writeSession(file: string, spoken: readonly SpokenLine[]): boolean {
  if (existsSync(file) && sameWords(readSession(file), spoken)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, spoken.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  return true;
}

function sameWords(one: readonly SpokenLine[], other: readonly SpokenLine[]): boolean {
  if (one.length !== other.length) return false;
  return one.every(({ from, line }, at) => from === other[at]?.from && line === other[at].line);
}
