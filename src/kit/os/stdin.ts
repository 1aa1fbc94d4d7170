import { fstatSync, read } from "node:fs";
import { promisify } from "node:util";
import { exitCodes, sentences, UserError } from "../errors.ts";
import { forwardedReadBytesMax } from "../limits.ts";
import type { ChunkReader } from "./child.ts";

const readOnce = promisify(read);

/** Throws UserError: no server can read a directory. */
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

// The runtime would read a file from its beginning; the server would read it from where the client left it.
export function openStdin(fd: number = 0): ChunkReader {
  if (!isFile(fd)) return Bun.stdin.stream().getReader();
  return {
    read: async () => {
      const chunk = new Uint8Array(forwardedReadBytesMax);
      const { bytesRead } = await readOnce(fd, chunk, 0, chunk.length, null);
      return bytesRead === 0 ? {} : { value: chunk.subarray(0, bytesRead) };
    },
    cancel: async () => undefined,
  };
}

function isFile(fd: number): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}
