import { writeSync } from "node:fs";
import type { Writer } from "#io.ts";
import { codeOf } from "./system-error.ts";

/** Times a full pipe is tried again, a millisecond apart, before the text is given up. */
const triesMax = 2_000;

/**
 * Writes to a file descriptor shared with the wrapped server. Not `process.stderr`: touching that makes
 * the descriptor non-blocking for the server too, and a Python server then dies of EAGAIN.
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
      return isatty(fd) ? terminalColumns(fd, env["COLUMNS"]) : undefined;
    },
  };
}

function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  for (let tries = 0; written < bytes.length && tries < triesMax; tries += 1) {
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return;
      Bun.sleepSync(1);
    }
  }
}

/** The module is loaded when it is asked for: with the streams it brings it takes 4 ms. */
function isatty(fd: number): boolean {
  const tty = require("node:tty") as typeof import("node:tty");
  return tty.isatty(fd);
}

/** Asks the terminal through `stty`, which leaves the descriptor's flags alone. */
function terminalColumns(fd: number, rawColumns: string | undefined): number | undefined {
  const told = Number(rawColumns);
  if (Number.isInteger(told) && told > 0) return told;
  try {
    const { stdout } = Bun.spawnSync(["stty", "size"], {
      stdin: fd,
      stdout: "pipe",
      stderr: "ignore",
    });
    const columns = Number(stdout.toString().trim().split(" ")[1]);
    return Number.isInteger(columns) && columns > 0 ? columns : undefined;
  } catch {
    return undefined;
  }
}
