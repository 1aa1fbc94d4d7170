import { constants, writeFileSync } from "node:fs";
import { sentences, UserError } from "../errors.ts";
import type { Writer } from "../io.ts";
import { errorCode } from "./error-code.ts";
import { openToWrite } from "./open-file.ts";

export function fileWriter(file: string): Writer {
  const opened = openToWrite(file, constants.O_TRUNC);
  if ("fault" in opened) throw unwritable(file, opened.fault);
  const { fd } = opened;
  return {
    write: (text) => {
      try {
        writeFileSync(fd, text);
      } catch (error) {
        throw unwritable(file, errorCode(error));
      }
    },
    isTerminal: false,
    measureColumns: async () => undefined,
  };
}

function unwritable(file: string, reason: string): UserError {
  return new UserError(sentences.reportUnwritable(file, reason));
}
