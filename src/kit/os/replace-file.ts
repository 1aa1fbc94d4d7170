import { attempt } from "../errors.ts";
import {
  accessSync,
  constants,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { catchErrorCode, readErrorCode, findNewFileFault, ownFile } from "./file-errors.ts";
import { describeIrregularity, openToWrite } from "./open-file.ts";

// Errors after which the file itself may still be writable: its folder is read-only, or the file is a mount point.
const folderFaults: ReadonlySet<string> = new Set(["EACCES", "EROFS", "EBUSY"]);

/** Atomic if possible. Never follows a symbolic link. If it fails, returns a clause or a system error code. */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  mode: number = 0o600,
): string | undefined {
  return replaceInChunks(file, () => [content], mode);
}

export function replaceInChunks(
  file: string,
  chunks: () => Iterable<string | Uint8Array>,
  mode: number = 0o600,
): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = findTargetFault(file) ?? writeAndRename(file, chunks, mode);
  return fault !== undefined && folderFaults.has(fault) ? overwrite(file, chunks) : fault;
}

export function findReplaceFault(file: string): string | undefined {
  if (file === "/dev/null") return undefined;
  const fault = findTargetFault(file) ?? findNewFileFault(file);
  return fault !== undefined && folderFaults.has(fault) && isWritable(file) ? undefined : fault;
}

function isWritable(file: string): boolean {
  return attempt(() => {
    accessSync(file, constants.W_OK);
    return true;
  }, false);
}

function findTargetFault(file: string): string | undefined {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    return stats.isSymbolicLink() ? "ELOOP" : describeIrregularity(stats);
  } catch (error) {
    return readErrorCode(error);
  }
}

function writeAndRename(
  file: string,
  chunks: () => Iterable<string | Uint8Array>,
  mode: number,
): string | undefined {
  const temporary = `${file}.${crypto.randomUUID()}`;
  const fault = catchErrorCode(() => {
    writeAndClose(openSync(temporary, "wx", mode), chunks);
    renameSync(temporary, file);
  });
  if (fault !== undefined) rmSync(temporary, { force: true });
  return fault;
}

function overwrite(file: string, chunks: () => Iterable<string | Uint8Array>): string | undefined {
  const opened = openToWrite(file, constants.O_TRUNC);
  if ("fault" in opened) return opened.fault;
  return catchErrorCode(() => writeAndClose(opened.fd, chunks));
}

function writeAndClose(fd: number, chunks: () => Iterable<string | Uint8Array>): void {
  using file = ownFile(fd);
  for (const chunk of chunks()) writeFileSync(file.fd, chunk);
}
