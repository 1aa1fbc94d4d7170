import { sentences, UserError } from "#errors.ts";
import { terminalAttemptsMax } from "#limits.ts";
import { closeSync, openSync, writeSync } from "node:fs";
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

/** A writer that drops text which cannot be written. For stderr, where a failure cannot be reported. */
export function lenientWriter(fd: number, env: Environment): Writer {
  return createWriter(fd, env, () => undefined);
}

/**
 * A blocking writer to a file descriptor that the wrapped server may share. Accessing `process.stderr`
 * instead would make the descriptor non-blocking for the server too, and a Python server then fails with EAGAIN.
 * `fail` takes the system error code of a failed write.
 */
function createWriter(fd: number, env: Environment, fail: (reason: string) => void): Writer {
  return {
    write(text) {
      const reason = writeAll(fd, new TextEncoder().encode(text));
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
