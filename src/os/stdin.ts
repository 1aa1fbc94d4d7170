import { fstatSync } from "node:fs";
import { exitCodes, sentences, UserError } from "#errors.ts";

/** Throws UserError when stdin is a directory: no server can read that. */
export function rejectDirectoryAsStdin(): void {
  if (isDirectory(0)) throw new UserError(sentences.stdinUnreadable("EISDIR"), exitCodes.runFailed);
}

function isDirectory(fd: number): boolean {
  try {
    return fstatSync(fd).isDirectory();
  } catch {
    return false;
  }
}
