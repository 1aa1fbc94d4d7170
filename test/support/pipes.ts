import { makeFifo, socketPair } from "./socket-pair.ts";
import { closeSync, constants, openSync, readSync, rmSync, writeSync } from "node:fs";

const readBytesMax = 64 * 1024;
const idleMs = 2;
/** How long one loop may read without letting another pipe have its turn. */
const turnBytesMax = 1024 * 1024;

export type StdioKind = "pipes" | "sockets";

export function makePipes(dir: string, kind: StdioKind = "pipes", stderrKind: StdioKind = "pipes") {
  const paths = ["stdin", "stdout", "stderr"].map((name) => `${dir}/${name}`);
  for (const path of paths) makeFifo(path);
  const [stdin = "", stdout = "", stderr = ""] = paths;
  const { O_RDONLY, O_WRONLY } = constants;
  const isSockets = kind === "sockets";
  const input = isSockets ? socketPair() : openBothEnds(stdin, O_WRONLY, O_RDONLY);
  const output = isSockets ? socketPair() : openBothEnds(stdout, O_RDONLY, O_WRONLY);
  const errors = stderrKind === "sockets" ? socketPair() : openBothEnds(stderr, O_RDONLY, O_WRONLY);
  return {
    ours: {
      input: new PipeWriter(input.ours),
      stdout: new PipeReader(output.ours),
      stderr: new PipeReader(errors.ours),
    },
    theirs: [input.theirs, output.theirs, errors.theirs] as const,
  };
}

/** Our end never blocks, theirs does; two descriptions, so neither sees the other's flag. */
function openBothEnds(path: string, oursMode: number, theirsMode: number) {
  const keeper = openSync(path, constants.O_RDWR);
  const ours = openSync(path, oursMode | constants.O_NONBLOCK);
  const theirs = openSync(path, theirsMode);
  closeSync(keeper);
  rmSync(path);
  return { ours, theirs };
}

export class PipeWriter {
  #fd: number | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  offer(bytes: Uint8Array): number {
    if (this.#fd === undefined) throw new Error("the pipe is closed on our side");
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if (codeOf(error) === "EAGAIN") return 0;
      throw error;
    }
  }

  async write(data: string | Uint8Array, withinMs = 10_000): Promise<void> {
    let rest = typeof data === "string" ? Buffer.from(data) : data;
    const deadline = performance.now() + withinMs;
    while (rest.length > 0) {
      const taken = this.offer(rest.subarray(0, turnBytesMax));
      rest = rest.subarray(taken);
      if (taken > 0) continue;
      if (performance.now() > deadline) throw new Error(`${rest.length} bytes were not taken`);
      await Bun.sleep(idleMs);
    }
  }

  end(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}

export class PipeReader {
  #fd: number | undefined;
  #chunks: Uint8Array[] = [];
  #paused = false;
  #length = 0;
  ended = false;

  constructor(fd: number) {
    this.#fd = fd;
    void this.#collect();
  }

  get isOver(): boolean {
    return this.ended || this.#paused || this.#fd === undefined;
  }

  get bytes(): Buffer {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  get length(): number {
    return this.#length;
  }

  get text(): string {
    return this.bytes.toString();
  }

  get lines(): string[] {
    return this.text.split("\n").slice(0, -1);
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
  }

  hangUp(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  async #collect(): Promise<void> {
    const buffer = Buffer.alloc(readBytesMax);
    let sincePause = 0;
    while (this.#fd !== undefined && !this.ended) {
      const count = this.#paused ? -1 : readSome(this.#fd, buffer);
      if (count === 0) this.ended = true;
      if (count > 0) this.#take(buffer.subarray(0, count));
      sincePause += Math.max(count, 0);
      if (count > 0 && sincePause < turnBytesMax) continue;
      sincePause = 0;
      await Bun.sleep(count > 0 ? 0 : idleMs);
    }
    this.hangUp();
  }

  #take(bytes: Uint8Array): void {
    this.#chunks.push(Uint8Array.from(bytes));
    this.#length += bytes.length;
  }
}

function readSome(fd: number, buffer: Uint8Array): number {
  try {
    return readSync(fd, buffer);
  } catch (error) {
    if (codeOf(error) === "EAGAIN") return -1;
    throw error;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
