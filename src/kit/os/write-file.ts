import { write, constants, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { catchErrorCode, readErrorCode } from "./file-errors.ts";
import { UserError } from "../errors.ts";
import type { Writer } from "../io.ts";
import { openToWrite } from "./open-file.ts";
import { commonSentences } from "../sentences.ts";

const writeOnce = promisify(write);

const pauseMs = 2;

/** Waits for a slow reader without blocking the process. Resolves with a system error code on failure. */
export async function writeAll(fd: number, bytes: Uint8Array): Promise<string | undefined> {
  let written = 0;
  while (written < bytes.length) {
    try {
      const { bytesWritten } = await writeOnce(fd, bytes, written, bytes.length - written, null);
      written += bytesWritten;
    } catch (error) {
      const code = readErrorCode(error);
      if (code !== "EAGAIN") return code;
      await Bun.sleep(pauseMs);
    }
  }
  return undefined;
}

export function makeFileWriter(file: string): Writer {
  const opened = openToWrite(file, constants.O_TRUNC);
  if ("fault" in opened) throw makeUnwritableError(file, opened.fault);
  const { fd } = opened;
  return {
    write: (text) => {
      const fault = catchErrorCode(() => writeFileSync(fd, text));
      if (fault !== undefined) throw makeUnwritableError(file, fault);
    },
    isTerminal: false,
    measureColumns: async () => undefined,
  };
}

function makeUnwritableError(file: string, reason: string): UserError {
  return new UserError(commonSentences.reportUnwritable(file, reason));
}
