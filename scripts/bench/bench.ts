import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "./options.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const STDERR = "stderr.txt";
const STDERR_TAIL_CHARACTERS = 2000;
const SIGNAL_EXIT_BASE = 128;

/** What every load is run with. */
export interface Bench extends Options {
  /** A temporary directory that is removed at the end. */
  readonly scratch: string;
  /** Where children's stderr goes, so that a failure can be explained. */
  readonly stderr: number;
  /** Our own environment, without a user's mcp-meter settings and state. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs `work` with a fresh scratch directory that goes away afterwards, interrupted or not. */
export async function withBench<T>(
  options: Options,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "mcp-meter-bench-"));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  process.once("exit", remove);
  for (const signal of SIGNALS) process.once(signal, exitBySignal);
  const stderr = openSync(join(scratch, STDERR), "a");
  try {
    return await work({ ...options, scratch, stderr, env: cleanEnvironment(scratch) });
  } finally {
    closeSync(stderr);
    remove();
    process.off("exit", remove);
    for (const signal of SIGNALS) process.off(signal, exitBySignal);
  }
}

function exitBySignal(signal: (typeof SIGNALS)[number]): void {
  process.exit(SIGNAL_EXIT_BASE + constants.signals[signal]);
}

/** The last that the children said on stderr, of all loads so far. */
export function lastWords(bench: Bench): string {
  return readFileSync(join(bench.scratch, STDERR), "utf8").slice(-STDERR_TAIL_CHARACTERS);
}

function cleanEnvironment(scratch: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("MCP_METER_"));
  return { ...Object.fromEntries(kept), XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch };
}
