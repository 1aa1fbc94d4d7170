import { closeSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { forwarderEnv } from "./forwarder-env.ts";
import { makePipes, type PipeReader, type PipeWriter, type StdioKind } from "./pipes.ts";
import { markName, processesOf } from "./processes.ts";
import { logsBelow, readLog, type LogFile, type LogRecord } from "./records.ts";
import { hasId, type Message } from "./rpc.ts";
import { eventually, waitMaxMs, within } from "./wait.ts";

const root = resolve(import.meta.dir, "../..");

export const executable = resolve(root, process.env["TESTED_EXECUTABLE"] ?? "dist/mcp-meter");

/** All fault tests can be run as if a client in Node had started the program: `FAULT_STDIO=sockets`. */
const stdioDefault = process.env["FAULT_STDIO"] === "sockets" ? "sockets" : "pipes";

export const testMaxMs = 60_000;

export type SessionOptions = {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A program that starts ours: `["strace", …]`, `["sh", "-c", 'ulimit -f 1; exec "$@"', "sh"]`. */
  readonly under?: readonly string[];
  readonly leadsGroup?: boolean;
  readonly prepare?: (dir: string) => void;
  readonly stdio?: StdioKind;
  readonly stderr?: StdioKind;
};

export type Ending = { readonly code: number | null; readonly signal: string | null };

export function fixture(name: string, ...args: readonly string[]): string[] {
  const path = join(root, "test/fixtures", name);
  return name.endsWith(".sh") ? ["sh", path, ...args] : [process.execPath, `${path}.ts`, ...args];
}

export function metered(command: readonly string[], options: SessionOptions = {}): Session {
  if (!existsSync(executable)) throw new Error(`${executable} is missing: run "bun run build"`);
  const { under = [], flags = [] } = options;
  return new Session([...under, executable, ...flags, "--", ...command], options);
}

export function bare(command: readonly string[], options: SessionOptions = {}): Session {
  return new Session([...(options.under ?? []), ...command], options);
}

export function runMeter(args: readonly string[], session?: Session) {
  const env = session === undefined ? process.env : environment(session.dir, session.mark);
  const run = Bun.spawnSync([executable, ...args], { env, stdin: "ignore", timeout: 50_000 });
  return { code: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
}

export class Session {
  readonly dir = mkdtempSync(join(tmpdir(), "fault-"));
  readonly mark = crypto.randomUUID();
  readonly stateDir = join(this.dir, "state");
  readonly pid: number;
  readonly input: PipeWriter;
  readonly stdout: PipeReader;
  readonly stderr: PipeReader;
  readonly #child: Bun.Subprocess;

  constructor(argv: readonly string[], options: SessionOptions) {
    for (const name of ["home", "state"]) mkdirSync(join(this.dir, name));
    options.prepare?.(this.dir);
    const { ours, theirs } = makePipes(this.dir, options.stdio ?? stdioDefault, options.stderr);
    const [stdin, stdout, stderr] = theirs;
    try {
      const inDir = (text: string) => text.replaceAll("{dir}", this.dir);
      const env = Object.entries(options.env ?? {}).map(([name, value]) => [name, inDir(value)]);
      this.#child = Bun.spawn(argv.map(inDir), {
        stdio: [stdin, stdout, stderr],
        env: { ...environment(this.dir, this.mark), ...Object.fromEntries(env) },
        cwd: resolve(this.dir, options.cwd ?? "."),
        detached: options.leadsGroup ?? false,
      });
    } finally {
      for (const fd of theirs) closeSync(fd);
    }
    this.pid = this.#child.pid;
    ({ input: this.input, stdout: this.stdout, stderr: this.stderr } = ours);
  }

  async send(...messages: readonly Message[]): Promise<void> {
    await this.input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  async line(text: string, withinMs?: number): Promise<string> {
    return eventually(
      () => `${JSON.stringify(text)} on stdout${this.#stderrTail()}`,
      () => this.stdout.lines.find((line) => line.includes(text)),
      withinMs,
    );
  }

  async grows(from: number, text: string, withinMs?: number): Promise<void> {
    let seen = from;
    await eventually(
      () => `${JSON.stringify(text)} on stdout${this.#stderrTail()}`,
      () => {
        if (this.stdout.length === seen) return false;
        seen = this.stdout.length;
        return this.stdout.bytes.subarray(from).includes(text);
      },
      withinMs,
    );
  }

  async answer(id: number | string, withinMs?: number): Promise<Message> {
    return eventually(
      () => `an answer to ${JSON.stringify(id)}${this.#stderrTail()}`,
      () => this.messages.find((message) => hasId(message, id) && message["method"] === undefined),
      withinMs,
    );
  }

  async ask(message: Message, withinMs?: number): Promise<Message> {
    await this.send(message);
    const { id } = message;
    if (typeof id !== "number" && typeof id !== "string") throw new Error("a request needs an id");
    return this.answer(id, withinMs);
  }

  get messages(): Message[] {
    return this.stdout.lines.flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return isMessage(value) ? [value] : [];
      } catch {
        return [];
      }
    });
  }

  async ended(withinMs = waitMaxMs): Promise<Ending> {
    const ending = await this.exited(withinMs);
    const isOver = () => this.stdout.isOver && this.stderr.isOver;
    const isHeld = () => this.living.length > 0;
    await eventually("both outputs closed", isOver, 500).catch(() => undefined);
    await eventually("both outputs closed", () => isOver() || isHeld());
    return ending;
  }

  async exited(withinMs = waitMaxMs): Promise<Ending> {
    await within("the process ended", withinMs, this.#child.exited);
    const { exitCode, signalCode } = this.#child;
    return { code: exitCode, signal: signalCode === null ? null : String(signalCode) };
  }

  async finish(withinMs?: number): Promise<Ending> {
    this.input.end();
    return this.ended(withinMs);
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  get living(): number[] {
    return processesOf(this.mark);
  }

  get logPaths(): string[] {
    return logsBelow(this.stateDir);
  }

  log(...paths: readonly string[]): LogFile {
    return readLog(...(paths.length > 0 ? paths : this.logPaths));
  }

  records(type: string): LogRecord[] {
    return this.log().records.filter((record) => record.type === type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.input.end();
    for (const pid of this.living) killQuietly(pid);
    killQuietly(this.pid);
    await this.#child.exited;
    this.stdout.hangUp();
    this.stderr.hangUp();
    rmSync(this.dir, { recursive: true, force: true });
  }

  #stderrTail(): string {
    const tail = this.stderr.text.slice(-400);
    return tail === "" ? "" : ` (stderr: ${JSON.stringify(tail)})`;
  }
}

function environment(dir: string, mark: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: join(dir, "home"),
    XDG_STATE_HOME: join(dir, "state"),
    XDG_CONFIG_HOME: join(dir, "config"),
    LANG: "C.UTF-8",
    ...forwarderEnv,
    [markName]: mark,
  };
}

function isMessage(value: unknown): value is Message {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself in between, which is what we wanted
  }
}
