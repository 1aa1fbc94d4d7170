import {
  closeSync,
  createReadStream,
  readSync,
  constants,
  fstatSync,
  openSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { attempt, UserError } from "../errors.ts";
import { readErrorCode } from "./file-errors.ts";
import { commonSentences } from "../sentences.ts";

export const inputReadBytesMax = 1024 * 1024;

export type FileContent = { readonly bytes: Uint8Array } | { readonly fault: string };

export function readWholeFile(file: string, bytesMax: number): FileContent {
  const opened = openToRead(file);
  if ("fault" in opened) return opened;
  const { fd, isInherited } = opened;
  try {
    return readToEnd(fd, bytesMax);
  } catch (error) {
    return { fault: readErrorCode(error) };
  } finally {
    if (!isInherited) closeSync(fd);
  }
}

function openInput(file: string) {
  const opened = openToRead(file === "-" ? "/dev/stdin" : file);
  if ("fault" in opened) throw new UserError(commonSentences.fileUnreadable(file, opened.fault));
  return opened;
}

export async function* readChunks(file: string): AsyncGenerator<Uint8Array> {
  const { fd, isInherited } = openInput(file);
  const options = { fd, autoClose: !isInherited, highWaterMark: inputReadBytesMax };
  try {
    yield* createReadStream(file, options);
  } catch (error) {
    throw new UserError(commonSentences.fileUnreadable(file, readErrorCode(error)));
  }
}

/** `-` is stdin. `take` must not keep a chunk: the next one may use the same buffer. Throws UserError. */
export async function takeChunks(file: string, take: (chunk: Uint8Array) => void): Promise<void> {
  const { fd, isInherited } = openInput(file);
  if (isInherited) {
    for await (const chunk of readChunks(file)) take(chunk);
    return;
  }
  try {
    readSynchronously(fd, take);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(commonSentences.fileUnreadable(file, readErrorCode(error)));
  } finally {
    closeSync(fd);
  }
}

// `readSynchronously` reuses this chunk: a new one for each file would make reading a small file a tenth slower.
let sharedChunk: Uint8Array | undefined;

function readSynchronously(fd: number, take: (chunk: Uint8Array) => void): void {
  sharedChunk ??= new Uint8Array(inputReadBytesMax);
  for (;;) {
    const read = readSync(fd, sharedChunk, 0, sharedChunk.length, null);
    if (read === 0) return;
    take(sharedChunk.subarray(0, read));
  }
}

function readToEnd(fd: number, bytesMax: number): FileContent {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = new Uint8Array(inputReadBytesMax);
    const read = readSync(fd, chunk, 0, chunk.length, null);
    if (read === 0) return { bytes: Buffer.concat(chunks) };
    size += read;
    if (size > bytesMax) return { fault: `it is larger than ${bytesMax} bytes` };
    chunks.push(chunk.subarray(0, read));
  }
}

type OpenedFile =
  { readonly fd: number; readonly isInherited: boolean } | { readonly fault: string };

const inheritedPath = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

// Opening never waits: a pipe or a device is a fault, unless it is `/dev/null`, stdin or `<(command)`.
export function openToRead(file: string): OpenedFile {
  const inherited = file === "/dev/stdin" ? "0" : inheritedPath.exec(file)?.[1];
  if (inherited !== undefined) return checkInherited(Number(inherited));
  return openRegular(file, constants.O_RDONLY | constants.O_NONBLOCK);
}

// Creates files with mode 0600. Opens only regular files and `/dev/null`; a symbolic link is a fault.
export function openToWrite(file: string, flags: number): OpenedFile {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  return openRegular(file, flags | O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
}

export function describeIrregularity(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  return stats.isDirectory() ? "EISDIR" : `it is a ${nameFileKind(stats)}, not a regular file`;
}

export function nameFileKind(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symbolic link";
  if (stats.isFIFO()) return "pipe";
  if (stats.isSocket()) return "socket";
  return "device";
}

function openRegular(file: string, flags: number): OpenedFile {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    const fd = openSync(file, flags, 0o600);
    const fault = file === "/dev/null" ? undefined : describeIrregularity(fstatSync(fd));
    if (fault === undefined) return { fd, isInherited: false };
    closeSync(fd);
    return { fault };
  } catch (error) {
    return { fault: readErrorCode(error) };
  }
}

// Accepts a pipe, because the shell has already started the program that writes to it.
function checkInherited(fd: number): OpenedFile {
  try {
    return fstatSync(fd).isDirectory() ? { fault: "EISDIR" } : { fd, isInherited: true };
  } catch (error) {
    return { fault: readErrorCode(error) };
  }
}

export function resolveRealPath(path: string): string {
  return attempt(() => realpathSync(path), path);
}
