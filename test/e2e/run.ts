import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { withFinalEnds } from "../support/final-ends.ts";
import { allRecordsIn } from "../support/records.ts";
import { executable } from "../support/servers.ts";
import { forwarderEnv } from "../support/forwarder-env.ts";

export type Finished = {
  readonly stdout: string;
  readonly stderr: string;
  /** Exit code, or 128 plus the number of the signal that killed it, as a shell reports it. */
  readonly status: number | undefined;
};

export type Extra = {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};

export type Home = {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  logs(): string[];
  remove(): void;
};

/** How long a test may take on a busy machine; it takes a tenth of that on an idle one. */
export const waitMaxMs = 60_000;

const timeLimitMs = 50_000;

const signalNumbers: Readonly<Record<string, number>> = { SIGKILL: 9, SIGTERM: 15, SIGSEGV: 11 };

export function makeHome(): Home {
  const path = mkdtempSync(join(tmpdir(), "e2e-"));
  const state = join(path, "state");
  return {
    path,
    env: {
      HOME: path,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: join(path, "config"),
      ...forwarderEnv,
    },
    logs: () => filesBelow(state).filter((file) => file.endsWith(".ndjson")),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

export async function runBare(
  argv: readonly string[],
  { input = "", env = {}, cwd }: Extra = {},
): Promise<Finished> {
  const [command = "", ...args] = argv;
  const result = await execa(command, args, {
    input,
    env,
    reject: false,
    timeout: timeLimitMs,
    stripFinalNewline: false,
    ...(cwd === undefined ? {} : { cwd }),
  });
  if (result.timedOut) throw new Error(`took over ${timeLimitMs} ms: ${argv.join(" ")}`);
  const killed =
    result.signal === undefined ? undefined : 128 + (signalNumbers[result.signal] ?? 0);
  return { stdout: result.stdout, stderr: result.stderr, status: result.exitCode ?? killed };
}

export function runMeter(
  home: Home,
  args: readonly string[],
  { input = "", env = {}, cwd = home.path }: Extra = {},
): Promise<Finished> {
  return runBare([executable(), ...args], { input, cwd, env: { ...home.env, ...env } });
}

/** The records of a file, without the ends that a later one replaces. */
export async function recordsIn(text: string): Promise<Record<string, unknown>[]> {
  return withFinalEnds(await allRecordsIn(text));
}

export async function readRecords(files: readonly string[]): Promise<Record<string, unknown>[]> {
  const logs = files.map((file) => recordsIn(readFileSync(file, "utf8")));
  return (await Promise.all(logs)).flat();
}

export async function onlyLog(home: Pick<Home, "logs">): Promise<Record<string, unknown>[]> {
  const [file, ...more] = home.logs();
  if (file === undefined || more.length > 0)
    throw new Error(`${more.length + 1} or no record file`);
  return recordsIn(readFileSync(file, "utf8"));
}
