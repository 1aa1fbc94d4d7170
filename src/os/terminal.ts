import { terminalAttemptsMax } from "#limits.ts";
import { closeSync, openSync, writeSync } from "node:fs";
import type { Writer } from "#io.ts";
import { errorCode } from "./error-code.ts";

/**
 * A blocking writer to a file descriptor that the wrapped server may share. Accessing `process.stderr`
 * instead would make the descriptor non-blocking for the server too, and a Python server then fails with EAGAIN.
 */
export function fdWriter(
  fd: number,
  env: Readonly<{ [name: string]: string | undefined }>,
): Writer {
  return {
    write: (text) => writeAll(fd, new TextEncoder().encode(text)),
    get isTerminal() {
      return isatty(fd);
    },
    get columns() {
      return isatty(fd) ? terminalColumns(env["COLUMNS"]) : undefined;
    },
  };
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  for (let attempts = 0; written < bytes.length && attempts < terminalAttemptsMax; attempts += 1) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (errorCode(error) !== "EAGAIN") return;
      Bun.sleepSync(1);
    }
  }
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
