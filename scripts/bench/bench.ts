import { randomUUID } from "node:crypto";
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { newline } from "../../src/kit/text/ascii.ts";
import type { ReadableStreamDefaultReader } from "node:stream/web";
import { initializedLine, initializeLine } from "./messages.ts";

const signals = ["SIGINT", "SIGTERM"] as const;
const signalExitBase = 128;
const stderrFile = "stderr.txt";
const stderrTailCharacters = 2000;

export type Options = {
  readonly names: readonly string[];
  readonly quick: boolean;
  readonly write: boolean;
  readonly meter: string;
  readonly against: string | undefined;
};

export type Bench = Options & {
  readonly scratch: string;
  readonly stderr: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tee?: string | undefined;
  readonly smallest?: string;
};

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
    return await work({ ...options, ...copyExecutables(options, scratch), scratch, stderr, env });
  } finally {
    closeSync(stderr);
    remove();
    process.off("exit", remove);
    for (const signal of signals) process.off(signal, exitBySignal);
  }
}

/** Copies both, because resident memory differs by 2 MB with how the kernel cached a file. */
function copyExecutables({ meter, against }: Options, scratch: string) {
  if (against === undefined) return { meter, against };
  const copied = { meter: join(scratch, "mcp-meter"), against: join(scratch, "mcp-meter-older") };
  copyFileSync(meter, copied.meter);
  copyFileSync(against, copied.against);
  return copied;
}

function exitBySignal(signal: (typeof signals)[number]): void {
  process.exit(signalExitBase + constants.signals[signal]);
}

export function stderrTail(bench: Bench): string {
  return readFileSync(join(bench.scratch, stderrFile), "utf8").slice(-stderrTailCharacters);
}

function cleanEnvironment(scratch: string): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("MCP_METER_"));
  return {
    ...Object.fromEntries(inherited),
    XDG_STATE_HOME: join(scratch, "state"),
    XDG_CONFIG_HOME: scratch,
  };
}

export function makeLogPath({ scratch }: Pick<Bench, "scratch">): string {
  return join(scratch, `${randomUUID()}.ndjson`);
}

export function removeLog(path: string): void {
  rmSync(path, { force: true });
}

export const contestantNames = {
  bare: "bare server",
  pipe: "Node pipe",
  tee: "C tee",
  smallest: "Bun spawn",
  meter: "mcp-meter",
  unlogged: "mcp-meter --log off",
  gated: "mcp-meter, gated",
  portable: "mcp-meter, portable",
  older: "older mcp-meter",
} as const;

export type Role = keyof typeof contestantNames;

export const everyRole: readonly Role[] = (Object.keys(contestantNames) as Role[]).filter(
  (role) => role !== "smallest",
);

const recording: ReadonlySet<Role> = new Set(["meter", "gated", "portable", "older"]);

export type Contestant = {
  readonly role: Role;
  readonly name: string;
  readonly meters: boolean;
  readonly wrap: (server: readonly string[], log: string) => readonly string[];
};

/** Returns the roles that can run here: the C tee needs a compiler, the older executable `--against`. */
export function listContestants(bench: Bench, roles: readonly Role[]): readonly Contestant[] {
  const { tee, smallest, meter, against } = bench;
  // Never used up, but a call that it could refuse is held until it is judged.
  const hugeBudget = ["--budget", "1000000M/session"];
  const commands: Readonly<Record<Role, (log: string) => readonly (string | undefined)[]>> = {
    bare: () => [],
    pipe: () => ["node", join(import.meta.dir, "node-pipe.mjs")],
    tee: () => [tee],
    smallest: () => [smallest],
    meter: (log) => [meter, "--log", log, "--"],
    unlogged: () => [meter, "--log", "off", "--"],
    gated: (log) => [meter, "--log", log, ...hugeBudget, "--"],
    // `env` replaces itself with the program, so that the pid stays the same.
    portable: (log) => ["env", "MCP_METER_FORWARDER=portable", meter, "--log", log, "--"],
    older: (log) => [against, "--log", log, "--"],
  };
  return roles
    .filter((role) => !commands[role]("").includes(undefined))
    .map((role) => ({
      role,
      name: contestantNames[role],
      meters: recording.has(role),
      wrap: (server, log) => [
        ...commands[role](log).filter((word) => word !== undefined),
        ...server,
      ],
    }));
}

type Result = { readonly contestant: Pick<Contestant, "role"> };

export function pick<T extends Result>(results: readonly T[], role: Role): T {
  const found = pickOptional(results, role);
  if (found === undefined) throw new Error(`Cannot compare: "${role}" has no result`);
  return found;
}

export function pickOptional<T extends Result>(results: readonly T[], role: Role): T | undefined {
  return results.find(({ contestant }) => contestant.role === role);
}

export function makeServerCommand(name: string, ...values: readonly number[]): readonly string[] {
  return [process.execPath, join(import.meta.dir, "servers", `${name}.ts`), ...values.map(String)];
}

const defaultLifetimeMs = 120_000;
const exitMaxMs = 30_000;
const writeBytes = 256 * 1024;

export class Peer {
  readonly #process: Bun.Subprocess<"pipe", "pipe", number>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;

  constructor(bench: Bench, command: readonly string[], lifetimeMaxMs: number) {
    this.#process = Bun.spawn({
      cmd: [...command],
      env: bench.env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: bench.stderr,
      timeout: lifetimeMaxMs,
      killSignal: "SIGKILL",
    });
    this.#reader = this.#process.stdout.getReader();
  }

  get pid(): number {
    return this.#process.pid;
  }

  async send(bytes: Uint8Array): Promise<void> {
    for (let offset = 0; offset < bytes.length; offset += writeBytes) {
      void this.#process.stdin.write(bytes.subarray(offset, offset + writeBytes));
      const flushed = this.#process.stdin.flush();
      if (flushed instanceof Promise) await flushed;
    }
  }

  async expect(expected: Buffer): Promise<void> {
    let offset = 0;
    await this.#read(expected.length, (chunk) => {
      if (expected.compare(chunk, 0, chunk.length, offset, offset + chunk.length) !== 0) {
        const differs = chunk.findIndex((byte, at) => byte !== expected[offset + at]);
        throw new Error(`The answers differ from what was expected at byte ${offset + differs}`);
      }
      offset += chunk.length;
    });
  }

  async drain(bytes: number): Promise<void> {
    await this.#read(bytes, () => {});
  }

  async line(): Promise<string> {
    const chunks: Uint8Array[] = [];
    do chunks.push(await this.#chunk());
    while (chunks.at(-1)?.at(-1) !== newline);
    return Buffer.concat(chunks).toString();
  }

  async handshake(): Promise<void> {
    await this.send(Buffer.from(initializeLine(0)));
    await this.line();
    await this.send(Buffer.from(initializedLine));
  }

  async close(): Promise<void> {
    await this.#process.stdin.end();
    const late = setTimeout(() => this.kill(), exitMaxMs);
    const code = await this.#process.exited;
    clearTimeout(late);
    if (code !== 0) throw new Error(`The server ended with code ${code}`);
  }

  kill(): void {
    this.#process.kill("SIGKILL");
  }

  async #read(bytes: number, handleChunk: (chunk: Uint8Array) => void): Promise<void> {
    let read = 0;
    while (read < bytes) {
      const chunk = await this.#chunk();
      handleChunk(chunk);
      read += chunk.length;
    }
    if (read > bytes) throw new Error(`${read - bytes} more bytes arrived than expected`);
  }

  async #chunk(): Promise<Uint8Array> {
    const { value, done } = await this.#reader.read();
    if (done) throw new Error("The server's output ended before its last answer");
    return value;
  }
}

export async function withPeers<T>(
  bench: Bench,
  commands: readonly (readonly string[])[],
  work: (peers: readonly Peer[]) => Promise<T>,
): Promise<T> {
  const peers = commands.map((command) => new Peer(bench, command, defaultLifetimeMs));
  return runAndClose(peers, () => work(peers));
}

export async function withPeer<T>(
  bench: Bench,
  command: readonly string[],
  work: (peer: Peer) => Promise<T>,
  lifetimeMaxMs = defaultLifetimeMs,
): Promise<T> {
  const peer = new Peer(bench, command, lifetimeMaxMs);
  return runAndClose([peer], () => work(peer));
}

async function runAndClose<T>(peers: readonly Peer[], work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await Promise.all(peers.map((peer) => peer.close()));
    return result;
  } catch (error) {
    for (const peer of peers) peer.kill();
    throw error;
  }
}
