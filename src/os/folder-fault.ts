import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

/** Why no file could be written there, as a system error code. Missing folders could be made. Changes nothing. */
export function folderFault(folder: string): string | undefined {
  const fault = writeFault(folder);
  const around = dirname(folder);
  return fault === "ENOENT" && around !== folder ? folderFault(around) : fault;
}

export function newFileFault(file: string): string | undefined {
  return writeFault(dirname(file));
}

function writeFault(folder: string): string | undefined {
  try {
    if (!statSync(folder).isDirectory()) return "ENOTDIR";
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}
