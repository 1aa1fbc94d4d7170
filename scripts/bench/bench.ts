import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "./options.ts";

const signals = ["SIGINT", "SIGTERM"] as const;
const signalExitBase = 128;
const stderrFile = "stderr.txt";
const stderrTailCharacters = 2000;

/** What every load runs with. */
export type Bench = Options & {
  /** A temporary directory that is removed at the end. */
  readonly scratch: string;
  /** Descriptor that receives the children's stderr, so that a failure can be explained. */
  readonly stderr: number;
  /** Our own environment, without a user's mcp-meter settings and state. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The compiled C tee; absent without a compiler. */
  readonly tee?: string | undefined;
  /** The compiled smallest wrapper; absent where no load compares with it. */
  readonly smallest?: string;
};

/** Runs `work` with a fresh scratch directory, which is removed afterwards even after an interruption. */
export async function withBench<T>(
  options: Options,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "mcp-meter-bench-"));
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  process.once("exit", remove);
  for (const signal of signals) process.once(signal, exitBySignal);
  const stderr = openSync(join(scratch, stderrFile), "a");
  try {
    const env = cleanEnvironment(scratch);
    return await work({ ...options, ...copies(options, scratch), scratch, stderr, env });
  } finally {
    closeSync(stderr);
    remove();
    process.off("exit", remove);
    for (const signal of signals) process.off(signal, exitBySignal);
  }
}

/**
 * Fresh copies of two executables that are compared. The resident memory of one file differs by 2 MB with the way in
 * which the kernel has cached it, which for a file of long ago is not the way for a new one.
 */
function copies({ meter, against }: Options, scratch: string): Pick<Options, "meter" | "against"> {
  if (against === undefined) return { meter, against };
  const copied = { meter: join(scratch, "mcp-meter"), against: join(scratch, "mcp-meter-older") };
  copyFileSync(meter, copied.meter);
  copyFileSync(against, copied.against);
  return copied;
}

function exitBySignal(signal: (typeof signals)[number]): void {
  process.exit(signalExitBase + constants.signals[signal]);
}

/** The end of what the children have written to stderr, in all loads so far. */
export function stderrTail(bench: Bench): string {
  return readFileSync(join(bench.scratch, stderrFile), "utf8").slice(-stderrTailCharacters);
}

function cleanEnvironment(scratch: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("MCP_METER_"));
  return {
    ...Object.fromEntries(kept),
    XDG_STATE_HOME: join(scratch, "state"),
    XDG_CONFIG_HOME: scratch,
  };
}
