import { mkdirSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makeFlags, type OptionSet } from "./option-sets.ts";
import type { Order } from "./relay.ts";
import type { Exchanged } from "./transcript.ts";

export type SessionSetup = {
  readonly executable: string;
  readonly dir: string;
  readonly lock: string;
};

export type Exit = { readonly code: number | null; readonly signal: string | null };

export class LiveSession {
  readonly clientSent = new Stream();
  readonly serverGot = new Stream();
  readonly serverSent = new Stream();
  readonly clientGot = new Stream();
  readonly atClient: Exchanged[] = [];
  serverPid: number | undefined;
  readonly #started = Promise.withResolvers<void>();
  readonly #listener: Server;
  #socket: Socket | undefined;
  readonly #child: Bun.Subprocess<"pipe", "pipe", Bun.BunFile>;
  readonly #received: Promise<void>;

  constructor(set: OptionSet, { executable, dir, lock }: SessionSetup, name: string) {
    for (const folder of ["home", "state", "temporary", "working"]) {
      mkdirSync(join(dir, folder), { recursive: true });
    }
    // The same path in every session, because shared counters belong to one command line.
    const socketPath = join(dir, "server.socket");
    rmSync(socketPath, { force: true });
    this.#listener = createServer((socket) => this.#follow(socket));
    this.#listener.listen(socketPath);
    const command = [process.execPath, join(import.meta.dir, "relay.ts"), socketPath];
    this.#child = Bun.spawn([executable, ...makeFlags(set, dir, lock), "--", ...command], {
      cwd: join(dir, "working"),
      env: {
        PATH: process.env["PATH"] ?? "/usr/bin:/bin",
        HOME: join(dir, "home"),
        XDG_STATE_HOME: join(dir, "state"),
        TMPDIR: join(dir, "temporary"),
      },
      stdio: ["pipe", "pipe", Bun.file(join(dir, `${name}.stderr`))],
    });
    this.#received = this.#receive();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async started(): Promise<void> {
    await Promise.race([this.#started.promise, this.clientGot.ended()]);
  }

  async exit(): Promise<Exit> {
    await this.#child.exited;
    await this.#received;
    const { exitCode, signalCode } = this.#child;
    return signalCode === null
      ? { code: exitCode, signal: null }
      : { code: null, signal: String(signalCode) };
  }

  async writeAsClient(bytes: Uint8Array): Promise<void> {
    this.clientSent.add(bytes);
    this.atClient.push({ by: "client", bytes });
    try {
      await this.#child.stdin.write(bytes);
      await this.#child.stdin.flush();
    } catch {}
  }

  writeAsServer(bytes: Uint8Array): void {
    this.serverSent.add(bytes);
    this.order("data", Buffer.from(bytes).toString("base64"));
  }

  order(kind: Order["kind"], value = ""): void {
    this.#socket?.write(`${JSON.stringify({ kind, value } satisfies Order)}\n`);
  }

  async closeAsClient(): Promise<void> {
    try {
      await this.#child.stdin.end();
    } catch {}
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async dispose(): Promise<void> {
    this.#child.kill("SIGKILL");
    this.#socket?.destroy();
    this.#listener.close();
    await this.#child.exited;
  }

  async #receive(): Promise<void> {
    for await (const chunk of this.#child.stdout) {
      this.atClient.push({ by: "server", bytes: chunk });
      this.clientGot.add(chunk);
    }
    this.clientGot.end();
  }

  #follow(socket: Socket): void {
    this.#socket = socket;
    createInterface({ input: socket }).on("line", (line) => {
      const { kind, value = "" }: Order = JSON.parse(line);
      if (kind === "hello") {
        this.serverPid = Number(value);
        this.#started.resolve();
      }
      if (kind === "data") this.serverGot.add(Buffer.from(value, "base64"));
      if (kind === "end") this.serverGot.end();
    });
    socket.on("close", () => this.serverGot.end());
    socket.on("error", () => this.serverGot.end());
  }
}

class Stream {
  #parts: Uint8Array[] = [];
  #waiting: (() => void)[] = [];
  length = 0;
  isEnded = false;

  get isAtBoundary(): boolean {
    const last = this.#parts.at(-1);
    return last === undefined || last.at(-1) === 0x0a;
  }

  get bytes(): Buffer {
    const [only] = this.#parts;
    const whole =
      this.#parts.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(this.#parts);
    this.#parts = whole.length === 0 ? [] : [whole];
    return whole;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#parts.push(chunk);
    this.length += chunk.length;
    this.#wake();
  }

  end(): void {
    this.isEnded = true;
    this.#wake();
  }

  async until(text: string, from: number): Promise<void> {
    while (!this.isEnded && !this.bytes.includes(text, from)) await this.#more();
  }

  async ended(): Promise<void> {
    while (!this.isEnded) await this.#more();
  }

  #more(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
