import { attempt, UserError } from "../errors.ts";
import {
  accessSync,
  constants,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeFileSync,
} from "node:fs";
import {
  catchErrorCode,
  readErrorCode,
  findNewFileFault,
  makeDisposableFile,
} from "./file-errors.ts";
import { describeIrregularity, openToWrite } from "./open-file.ts";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import type { Writer } from "../io.ts";
import { commonSentences } from "../sentences.ts";

// Errors after which the file itself may still be writable: its folder is read-only, or the file is a mount point.
const folderFaults: ReadonlySet<string> = new Set(["EACCES", "EROFS", "EBUSY"]);

/** Atomic if possible. Refuses a symbolic link. On failure, returns the reason: a clause or a system error code. */
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
  // The file's name may already have the maximum length, so only its first 50 characters are kept.
  const temporary = `${dirname(file)}/${basename(file).slice(0, 50)}.${crypto.randomUUID()}`;
  const fault = catchErrorCode(() => {
    writeAndClose(openSync(temporary, "wx", mode), chunks);
    renameSync(temporary, file);
  });
  if (fault !== undefined) attempt(() => rmSync(temporary, { force: true }));
  return fault;
}

function overwrite(file: string, chunks: () => Iterable<string | Uint8Array>): string | undefined {
  const opened = openToWrite(file, constants.O_TRUNC);
  if ("fault" in opened) return opened.fault;
  return catchErrorCode(() => writeAndClose(opened.fd, chunks));
}

function writeAndClose(fd: number, chunks: () => Iterable<string | Uint8Array>): void {
  using file = makeDisposableFile(fd);
  for (const chunk of chunks()) writeFileSync(file.fd, chunk);
}

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
