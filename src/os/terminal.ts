import { sentences, UserError } from "#errors.ts";
import { terminalAttemptsMax } from "#limits/files.ts";
import { closeSync, openSync, writeSync } from "node:fs";
import type { LenientWriter, Writer } from "#io.ts";
import { isAbandoned } from "./abandoned.ts";
import { errorCode } from "./error-code.ts";
import { TextQueue } from "./text-queue.ts";
import { writerNow } from "./write-now.ts";

const stdoutFd = 1;

type Environment = Readonly<{ [name: string]: string | undefined }>;

/**
 * The writer to stdout, which carries a command's result. Waits for its reader. Text that cannot be written is a
 * UserError, unless the reader closed the pipe, as `head -1` does.
 */
export function stdoutWriter(env: Environment): Writer {
  return new WaitingWriter(stdoutFd, env);
}

/** The writer to stderr, where a failure cannot be reported, and whose reader may be a client that never reads. */
export function lenientWriter(fd: number, env: Environment): LenientWriter {
  return new QueueWriter(fd, env);
}

/** The terminal of a descriptor, if it has one. */
class Screen {
  readonly #fd: number;
  readonly #env: Environment;

  constructor(fd: number, env: Environment) {
    this.#fd = fd;
    this.#env = env;
  }

  get isTerminal(): boolean {
    return isatty(this.#fd);
  }

  get columns(): number | undefined {
    return this.isTerminal ? terminalColumns(this.#env["COLUMNS"]) : undefined;
  }
}

class WaitingWriter extends Screen implements Writer {
  #hasFailed = false;

  get isAbandoned(): boolean {
    return this.#hasFailed || isAbandoned(stdoutFd);
  }

  write(text: string): void {
    const reason = writeAll(stdoutFd, new TextEncoder().encode(text));
    this.#hasFailed ||= reason === "EPIPE";
    if (reason === undefined || reason === "EPIPE") return;
    throw new UserError(sentences.stdoutUnwritable(reason));
  }
}

class QueueWriter extends Screen implements LenientWriter {
  readonly #queue: TextQueue;

  constructor(fd: number, env: Environment) {
    super(fd, env);
    this.#queue = new TextQueue(() => writerNow(fd));
  }

  write(text: string, done?: (isWritten: boolean) => void): void {
    this.#queue.write(text, done);
  }

  flush(): void {
    this.#queue.flush();
  }
}

/** Writes all bytes; returns the system error code of the failure, undefined on success. */
function writeAll(fd: number, bytes: Uint8Array): string | undefined {
  let written = 0;
  for (let attempts = 0; written < bytes.length; attempts += 1) {
    if (attempts >= terminalAttemptsMax) return "EAGAIN";
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const code = errorCode(error);
      if (code !== "EAGAIN") return code;
      Bun.sleepSync(1);
    }
  }
  return undefined;
}

/** True for a terminal. Loads its module on the first call: it takes 4 ms with the streams that come with it. */
export function isatty(fd: number): boolean {
  const tty: typeof import("node:tty") = require("node:tty");
  return tty.isatty(fd);
}

/** From COLUMNS, else from `stty`, which leaves the flags of the terminal as they are. */
function terminalColumns(rawColumns: string | undefined): number | undefined {
  return positiveInteger(rawColumns) ?? positiveInteger(sttySize()?.split(" ")[1]);
}

/** `24 80` of the controlling terminal. Opened again, because Bun refuses descriptors 1 and 2 as an input. */
function sttySize(): string | undefined {
  let terminal: number;
  try {
    terminal = openSync("/dev/tty", "r");
  } catch {
    return undefined;
  }
  try {
    const { stdout } = Bun.spawnSync(["stty", "size"], { stdin: terminal, stderr: "ignore" });
    return stdout.toString().trim();
  } catch {
    return undefined;
  } finally {
    closeSync(terminal);
  }
}

function positiveInteger(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
