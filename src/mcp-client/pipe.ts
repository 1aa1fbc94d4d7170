import { exitCodes, UserError } from "#errors.ts";
import { foreignLinesMax } from "#limits.ts";
import type { Io } from "#io.ts";
import type { Side } from "#wire/side.ts";
import { memberAt } from "#wire/json.ts";
import { LineSplitter, type Line } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { type Child, spawnChild } from "#os/child.ts";

/** Hears every line of both directions, as it crosses the pipe. */
export type Hear = (from: Side, line: Line) => void;

/** Silence given to a server at each step of its end: after EOF, after TERM. */
const graceMs = 1_000;

/** JSON-RPC code of our stand-in for an answer that is too long or too deep to read. */
const unreadable = -31_901;

/**
 * A server of our own: started, spoken to line by line, ended with everything it started. Has the shape of
 * the SDK's stdio transport, whose era probe asks for `stderr` and `pid`.
 */
export class ServerPipe {
  readonly #command: readonly string[];
  readonly #io: Pick<Io, "platform" | "signals">;
  readonly #hear: Hear;
  #child: Child | undefined;
  #foreignLines = 0;
  #receivedBytes = 0;
  #lastRequest: string | number | undefined;
  onmessage: ((message: unknown) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;

  constructor(command: readonly string[], io: Pick<Io, "platform" | "signals">, hear: Hear) {
    this.#command = command;
    this.#io = io;
    this.#hear = hear;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** The server writes to our own stderr. */
  get stderr(): null {
    return null;
  }

  /** Lines on stdout that were no JSON-RPC. */
  get foreignLines(): number {
    return this.#foreignLines;
  }

  /** Bytes of everything the server wrote. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Id of the request sent last. */
  get lastRequest(): string | number | undefined {
    return this.#lastRequest;
  }

  /** How the server ended, in words; undefined while it runs. */
  get exit(): string | undefined {
    const child = this.#child;
    if (!child) return undefined;
    if (child.signalCode !== null) return `was killed by ${child.signalCode}`;
    return child.exitCode === null ? undefined : `ended with code ${child.exitCode}`;
  }

  /** Throws UserError when the command cannot be started. */
  async start(): Promise<void> {
    const child = startChild(this.#command, this.#io.platform);
    this.#child = child;
    void this.#read(child);
  }

  async send(message: unknown): Promise<void> {
    const id = memberAt(message, "method") === undefined ? undefined : memberAt(message, "id");
    if (typeof id === "string" || typeof id === "number") this.#lastRequest = id;
    const bytes = new TextEncoder().encode(`${JSON.stringify(message)}\n`);
    this.#hear("client", { bytes, size: bytes.length, skim: undefined });
    try {
      this.#child?.stdin.write(bytes);
      await this.#child?.stdin.flush();
    } catch {
      // A server that reads no more: its end is told by its stdout.
    }
  }

  /** Ends the server: EOF, a second, TERM, a second, KILL; and whatever it leaves behind. */
  async close(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    void Promise.resolve(child.stdin.end()).catch(() => undefined);
    if (!(await this.#exits(child))) {
      this.#signal("SIGTERM");
      await this.#exits(child);
    }
    this.kill();
    await child.exited;
  }

  /** Ends the server and everything it started at once. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    const child = this.#child;
    if (!child) return;
    if (this.#io.platform === "win32") child.kill(signal);
    else this.#io.signals.send(-child.pid, signal);
  }

  async #exits(child: Child): Promise<boolean> {
    const late = Bun.sleep(graceMs).then(() => false);
    return Promise.race([child.exited.then(() => true), late]);
  }

  async #read(child: Child): Promise<void> {
    const splitter = new LineSplitter();
    try {
      for await (const chunk of child.stdout) {
        for (const line of splitter.push(chunk)) this.#take(line);
        if (this.#foreignLines > foreignLinesMax) break;
      }
    } catch {
      // A pipe that fails has ended.
    }
    const last = splitter.end();
    if (last) this.#take(last);
    // Its status follows its last byte, unless it has closed stdout and stays.
    await this.#exits(child);
    this.onclose?.();
  }

  #take(line: Line): void {
    this.#receivedBytes += line.size;
    this.#hear("server", line);
    const message = parseMessage(line);
    if (message.kind === "opaque") {
      if (message.reason !== "blank") this.#foreignLines += 1;
    } else if ("truncated" in message && message.truncated) {
      if ("id" in message && message.id) this.#deliver(standIn(message.id.value));
    } else {
      const value: unknown = JSON.parse(new TextDecoder().decode(line.bytes));
      for (const one of Array.isArray(value) ? value : [value]) this.#deliver(one);
    }
  }

  #deliver(message: unknown): void {
    this.onmessage?.(message);
  }
}

function standIn(id: string | number): unknown {
  return {
    jsonrpc: "2.0",
    id,
    error: { code: unreadable, message: "too long or too deep to read" },
  };
}

function startChild(command: readonly string[], platform: string): Child {
  try {
    return spawnChild(command, platform, platform !== "win32");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.message, exitCodes.serverUnreachable);
  }
}
