import { sentences, UserError } from "#errors.ts";
import { stderrAttemptsMax, terminalAttemptsMax } from "#limits.ts";
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";
import type { Writer } from "#io.ts";
import { errorCode } from "./error-code.ts";

const stdoutFd = 1;

type Environment = Readonly<{ [name: string]: string | undefined }>;

/**
 * The writer to stdout, which carries a command's result: text that cannot be written is a UserError, unless
 * the reader closed the pipe, as `head -1` does.
 */
export function stdoutWriter(env: Environment): Writer {
  return createWriter(stdoutFd, env, (reason) => {
    if (reason !== "EPIPE") throw new UserError(sentences.stdoutUnwritable(reason));
  });
}

/**
 * A writer that drops text which cannot be written, or which the reader of a pipe does not take soon. For stderr,
 * where a failure cannot be reported, and where a client that reads nothing must not stop the traffic.
 */
export function lenientWriter(fd: number, env: Environment): Writer {
  let attemptsMax = stderrAttemptsMax;
  const drop = (reason: string): void => {
    if (reason === "EAGAIN") attemptsMax = 1;
  };
  return createWriter(fd, env, drop, { open: unblocked, attemptsMax: () => attemptsMax });
}

/**
 * A descriptor of the same pipe that does not wait for its reader. Opened again, because a flag of the original
 * would be shared with the server. Where that is impossible, the original.
 */
function unblocked(fd: number): number {
  try {
    const { O_WRONLY, O_NONBLOCK } = constants;
    return fstatSync(fd).isFIFO() ? openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK) : fd;
  } catch {
    return fd;
  }
}

/** How a writer opens its descriptor at the first text, and how often it tries to write one. */
type Waiting = { readonly open: (fd: number) => number; readonly attemptsMax: () => number };

/**
 * A blocking writer to a file descriptor that the wrapped server may share. Accessing `process.stderr`
 * instead would make the descriptor non-blocking for the server too, and a Python server then fails with EAGAIN.
 * `fail` takes the system error code of a failed write.
 */
function createWriter(
  fd: number,
  env: Environment,
  fail: (reason: string) => void,
  { open, attemptsMax }: Waiting = {
    open: (given) => given,
    attemptsMax: () => terminalAttemptsMax,
  },
): Writer {
  let target: number | undefined;
  return {
    write(text) {
      target ??= open(fd);
      const reason = writeAll(target, new TextEncoder().encode(text), attemptsMax());
      if (reason !== undefined) fail(reason);
    },
    get isTerminal() {
      return isatty(fd);
    },
    get columns() {
      return isatty(fd) ? terminalColumns(env["COLUMNS"]) : undefined;
    },
  };
}

/** Writes all bytes; returns the system error code of the failure, undefined on success. */
function writeAll(fd: number, bytes: Uint8Array, attemptsMax: number): string | undefined {
  let written = 0;
  for (let attempts = 0; written < bytes.length; attempts += 1) {
    if (attempts >= attemptsMax) return "EAGAIN";
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

/** Loads its module on the first call: it takes 4 ms with the streams that come with it. */
function isatty(fd: number): boolean {
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
