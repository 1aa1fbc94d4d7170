import { attempt, UserError, exitCodes } from "../errors.ts";
import { writeSync, fstatSync, type Stats, read } from "node:fs";
import type { LenientWriter, Writer, Io } from "../io.ts";
import { cLibrary, findC, takeAddress } from "./c-library.ts";
import { readErrorCode } from "./file-errors.ts";
import { reopenPipe, forwardedReadBytesMax } from "./pipe.ts";
import { replaceFile } from "./write-file.ts";
import type { Tell } from "../text/teller.ts";
import { promisify } from "node:util";
import type { ChunkReader } from "./child.ts";
import { commonSentences } from "../sentences.ts";

// PIPE_BUF on Linux: a pipe that polls as writable takes that many bytes. A socket takes more.
const pollableBytes = 4_096;

// POLLOUT. `struct pollfd` is two int32: the descriptor, then events (low half) and results (high half).
const pollOut = 4;

// Never sets O_NONBLOCK on `fd`, because the server shares it. A write to a terminal may block. A write to a pipe or
// socket may block if `fd` can be neither reopened nor polled.
export function makeNonBlockingWrite(fd: number, library: string = cLibrary): NonBlockingWrite {
  const write: NonBlockingWrite = (bytes) => writeSync(fd, bytes);
  const stats = readStats(fd);
  if (stats?.isFIFO() !== true && stats?.isSocket() !== true) return write;
  const reopened = reopenPipe(fd, "write");
  if (reopened !== undefined) return (bytes) => writeSync(reopened, bytes);
  const c = findC(library);
  if (!c) return write;
  return (bytes) => {
    const isWritable = c.poll(takeAddress(Int32Array.of(fd, pollOut)), 1, 0) > 0;
    return isWritable ? writeSync(fd, bytes.subarray(0, pollableBytes)) : 0;
  };
}

function readStats(fd: number): Stats | undefined {
  return attempt(() => fstatSync(fd));
}

// An attempt that finds no room waits 1 ms. After this number of them in a row, writing fails: the reader is too slow.
const vainAttemptsMax = 2_000;

const stdoutFd = 1;

// `stty size` answers within milliseconds. If it hangs, it is killed after `sttyMaxMs`, because output waits for it.
const [sttyBytesMax, sttyMaxMs] = [1024, 2_000];

export function makeStdoutWriter(env: Io["env"]): Writer {
  let isClosed = false;
  return {
    write(text) {
      const reason = writeAllSync(stdoutFd, new TextEncoder().encode(text));
      isClosed ||= reason === "EPIPE";
      if (reason === undefined || reason === "EPIPE") return;
      throw new UserError(commonSentences.stdoutUnwritable(reason));
    },
    get isTerminal() {
      return isatty(stdoutFd);
    },
    measureColumns: () => measureColumns(stdoutFd, env),
    get isAbandoned() {
      return isClosed || hasReaderClosed(stdoutFd);
    },
  };
}

export function makeLenientWriter(fd: number, env: Io["env"]): LenientWriter {
  const queue = new TextQueue(() => makeNonBlockingWrite(fd));
  return {
    write: (text, done) => queue.write(text, done),
    get isTerminal() {
      return isatty(fd);
    },
    measureColumns: () => measureColumns(fd, env),
    flush: () => queue.flush(),
  };
}

function writeAllSync(fd: number, bytes: Uint8Array): string | undefined {
  let written = 0;
  for (let vainAttempts = 0; written < bytes.length; vainAttempts += 1) {
    if (vainAttempts >= vainAttemptsMax) return "EAGAIN";
    try {
      const count = writeSync(fd, bytes, written);
      if (count > 0) vainAttempts = 0;
      written += count;
    } catch (error) {
      const code = readErrorCode(error);
      if (code !== "EAGAIN") return code;
      Bun.sleepSync(1);
    }
  }
  return undefined;
}

// Loading node:tty takes 2 to 4 ms, and only a character device can be a terminal.
export function isatty(fd: number): boolean {
  if (readStats(fd)?.isCharacterDevice() !== true) return false;
  const tty: typeof import("node:tty") = require("node:tty");
  return tty.isatty(fd);
}

// If COLUMNS is not a positive integer, runs `stty size`. This command does not change the terminal's flags.
async function measureColumns(fd: number, env: Io["env"]): Promise<number | undefined> {
  if (!isatty(fd)) return undefined;
  return (
    parsePositiveInteger(env["COLUMNS"]) ?? parsePositiveInteger(readSttySize()?.split(" ")[1])
  );
}

// `stty` prints rows and columns, such as `24 80`. Loading execa would take longer than running `stty`.
function readSttySize(): string | undefined {
  return attempt(() => {
    const { stdout } = Bun.spawnSync(["/bin/sh", "-c", "exec stty size </dev/tty"], {
      stdin: "ignore",
      stderr: "ignore",
      maxBuffer: sttyBytesMax,
      timeout: sttyMaxMs,
    });
    return stdout.toString();
  });
}

function parsePositiveInteger(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

// POLLERR and POLLHUP.
const hangUpOrError = 8 | 16;

function hasReaderClosed(fd: number): boolean {
  const pollEntry = Int32Array.of(fd, 0);
  findC()?.poll(takeAddress(pollEntry), 1, 0);
  return (((pollEntry[1] ?? 0) >>> 16) & hangUpOrError) !== 0;
}

// Text that would lengthen the queue beyond this limit is dropped, unless the queue is empty.
export const stderrQueueBytesMax = 4 * 1024 * 1024;

// The longest delay between two attempts to write.
const stderrRetryMaxMs = 20;

// The time for all flushes together. Clients kill us 2 s after they close our stdin.
export const stderrFlushMaxMs = 500;

type NonBlockingWrite = (bytes: Uint8Array) => number;

type Waiting = { bytes: Uint8Array; readonly done: (isWritten: boolean) => void };

export class TextQueue {
  readonly #open: () => NonBlockingWrite;
  #nonBlockingWrite: NonBlockingWrite | undefined;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #timer: Timer | undefined;
  #retryMs = 1;
  #flushLeftMs = stderrFlushMaxMs;

  constructor(open: () => NonBlockingWrite) {
    this.#open = open;
  }

  write(text: string, done: Waiting["done"] = () => undefined): void {
    const bytes = new TextEncoder().encode(text);
    if (this.#waiting.length > 0 && this.#waitingBytes + bytes.length > stderrQueueBytesMax) {
      done(false);
      return;
    }
    this.#waiting.push({ bytes, done });
    this.#waitingBytes += bytes.length;
    if (this.#timer === undefined) this.#drain();
  }

  flush(): void {
    const started = performance.now();
    const mayWait = (): boolean => performance.now() - started < this.#flushLeftMs;
    for (this.#drain(); this.#waiting.length > 0 && mayWait(); this.#drain()) Bun.sleepSync(1);
    this.#flushLeftMs -= performance.now() - started;
  }

  #drain(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    let hasWritten = false;
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const count = this.#writeSome(first.bytes);
      if (count === 0) break;
      hasWritten = true;
      this.#advance(first, count);
    }
    if (this.#waiting.length === 0) return;
    this.#retryMs = hasWritten ? 1 : Math.min(2 * this.#retryMs, stderrRetryMaxMs);
    this.#timer = setTimeout(() => this.#drain(), this.#retryMs);
    this.#timer.unref();
  }

  // 0 if the reader takes nothing now; undefined if the bytes are empty or cannot be written.
  #writeSome(bytes: Uint8Array): number | undefined {
    try {
      this.#nonBlockingWrite ??= this.#open();
      return bytes.length === 0 ? undefined : this.#nonBlockingWrite(bytes);
    } catch (error) {
      return readErrorCode(error) === "EAGAIN" ? 0 : undefined;
    }
  }

  #advance(first: Waiting, count: number | undefined): void {
    const written = count ?? first.bytes.length;
    this.#waitingBytes -= written;
    first.bytes = first.bytes.subarray(written);
    if (first.bytes.length > 0) return;
    this.#waiting.shift();
    first.done(count !== undefined);
  }
}

export function writeSummary(
  text: string,
  file: string | undefined,
  stderr: Writer,
  tell: Tell,
): void {
  if (file === undefined) {
    stderr.write(text);
    return;
  }
  const fault = replaceFile(file, text);
  if (fault !== undefined) tell(commonSentences.summaryUnwritable(file, fault));
}

export function mayColor(writer: Pick<Writer, "isTerminal">, env: Io["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return writer.isTerminal && env["TERM"] !== "dumb";
}

const readOnce = promisify(read);

export function rejectDirectoryAsStdin(): void {
  if (readStats(0)?.isDirectory() === true)
    throw new UserError(commonSentences.stdinUnreadable("EISDIR"), exitCodes.runFailed);
}

// The runtime would read a file from its start. We continue where an earlier reader stopped, as other programs do.
export function openStdin(fd: number = 0): ChunkReader {
  if (readStats(fd)?.isFile() !== true) return Bun.stdin.stream().getReader();
  return {
    read: async () => {
      const chunk = new Uint8Array(forwardedReadBytesMax);
      const { bytesRead } = await readOnce(fd, chunk, 0, chunk.length, null);
      return bytesRead === 0 ? {} : { value: chunk.subarray(0, bytesRead) };
    },
    cancel: async () => undefined,
  };
}
