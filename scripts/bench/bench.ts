import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "./options.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const EXIT_INTERRUPTED = 130;
const STDERR_TAIL_CHARACTERS = 2000;

/** What every load is run with. */
export interface Bench extends Options {
  /** A temporary directory that is removed at the end. */
  readonly scratch: string;
  /** Where children's stderr goes, so that a failure can be explained. */
  readonly stderr: number;
  /** Our own environment, without a user's mcp-meter settings and state. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs `work` with a scratch directory that is removed, interrupted or not; a failure carries what the children said last. */
export async function withBench<T>(
  options: Options,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), "mcp-meter-bench-"));
  const stderrPath = join(scratch, "stderr.txt");
  const stderr = openSync(stderrPath, "a");
  const remove = () => rmSync(scratch, { recursive: true, force: true });
  process.once("exit", remove);
  for (const signal of SIGNALS) process.once(signal, () => process.exit(EXIT_INTERRUPTED));
  try {
    return await work({ ...options, scratch, stderr, env: cleanEnvironment(scratch) });
  } catch (error) {
    const said = readFileSync(stderrPath, "utf8").slice(-STDERR_TAIL_CHARACTERS);
    throw new Error(`The run failed; its children last said: ${said || "nothing"}`, {
      cause: error,
    });
  } finally {
    closeSync(stderr);
    remove();
  }
}

function cleanEnvironment(scratch: string): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith("MCP_METER_"));
  return { ...Object.fromEntries(kept), XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch };
}
