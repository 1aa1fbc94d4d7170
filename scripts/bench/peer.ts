import { newline } from "#kit/text/ascii.ts";
import type { ReadableStreamDefaultReader } from "node:stream/web";
import type { Bench } from "./bench.ts";
import { initializedLine, initializeLine } from "./messages.ts";

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

  async #read(bytes: number, take: (chunk: Uint8Array) => void): Promise<void> {
    let read = 0;
    while (read < bytes) {
      const chunk = await this.#chunk();
      take(chunk);
      read += chunk.length;
    }
    if (read > bytes) throw new Error(`${read - bytes} bytes came that nobody asked for`);
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
  return closing(peers, () => work(peers));
}

export async function withPeer<T>(
  bench: Bench,
  command: readonly string[],
  work: (peer: Peer) => Promise<T>,
  lifetimeMaxMs = defaultLifetimeMs,
): Promise<T> {
  const peer = new Peer(bench, command, lifetimeMaxMs);
  return closing([peer], () => work(peer));
}

async function closing<T>(peers: readonly Peer[], work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    await Promise.all(peers.map((peer) => peer.close()));
    return result;
  } catch (error) {
    for (const peer of peers) peer.kill();
    throw error;
  }
}
