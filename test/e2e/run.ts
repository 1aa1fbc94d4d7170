import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { runCli } from "../../src/cli.ts";
import { dropReplacedEnds } from "../support/final-ends.ts";
import { capturedIo } from "../support/io.ts";
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

// These do not depend on the process: no standard input, no traffic, and not the path of the executable.
const plainCommands: ReadonlySet<string> = new Set([
  "budgets",
  "check",
  "completion",
  "config",
  "count",
  "help",
  "import",
  "lock",
  "metrics",
  "profile",
  "prune",
  "report",
  "validate",
]);

/**
 * Runs a plain command without input in this process, which takes a tenth of the time, and starts the executable for
 * all else. A server that such a command starts has our own variables and standard error.
 */
export function runMeter(
  home: Home,
  args: readonly string[],
  extra: Extra = {},
): Promise<Finished> {
  const isPlain = plainCommands.has(args[0] ?? "") && extra.input === undefined;
  return isPlain ? runInProcess(home, args, extra) : startMeter(home, args, extra);
}

export function startMeter(
  home: Home,
  args: readonly string[],
  { input = "", env = {}, cwd = home.path }: Extra = {},
): Promise<Finished> {
  return runBare([executable(), ...args], { input, cwd, env: { ...home.env, ...env } });
}

let running: Promise<unknown> = Promise.resolve();

function runInProcess(
  home: Home,
  argv: readonly string[],
  { env = {}, cwd = home.path }: Extra,
): Promise<Finished> {
  // The working directory belongs to all, so one command waits for another.
  const finished = running.then(() => runIn(cwd, argv, { ...process.env, ...home.env, ...env }));
  running = finished.catch(() => undefined);
  return finished;
}

async function runIn(
  folder: string,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finished> {
  const validatorCommand = [executable(), "validate-structured-content"];
  const io = { ...capturedIo(env, argv), validatorCommand };
  const before = process.cwd();
  process.chdir(folder);
  try {
    const ending = await runCli(io);
    return { ...io.written, status: "code" in ending ? ending.code : undefined };
  } finally {
    process.chdir(before);
  }
}

/** The records of a file, without the ends that a later one replaces. */
export async function recordsIn(text: string): Promise<Record<string, unknown>[]> {
  return dropReplacedEnds(await allRecordsIn(text));
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
