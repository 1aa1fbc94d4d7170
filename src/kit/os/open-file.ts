import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { errorCode } from "./error-code.ts";

export type NamedFile =
  { readonly fd: number; readonly isInherited: boolean } | { readonly fault: string };

/** Descriptors that the shell opened for us, as in `<(command)`. */
const inheritedPath = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/** Never waits: a file that is not regular is a fault. */
export function openToRead(file: string): NamedFile {
  const inherited = file === "/dev/stdin" ? "0" : inheritedPath.exec(file)?.[1];
  if (inherited !== undefined) return inheritedFile(Number(inherited));
  return openRegular(file, constants.O_RDONLY | constants.O_NONBLOCK);
}

/** Created with mode 0600. Never waits and never follows a symbolic link; only regular files and `/dev/null`. */
export function openToWrite(file: string, flags: number): NamedFile {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  return openRegular(file, flags | O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
}

export function irregularity(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  return stats.isDirectory() ? "EISDIR" : `it is a ${fileKind(stats)}, not a regular file`;
}

export function fileKind(stats: Stats): string {
  if (stats.isDirectory()) return "directory";
  if (stats.isSymbolicLink()) return "symbolic link";
  if (stats.isFIFO()) return "pipe";
  if (stats.isSocket()) return "socket";
  return "device";
}

function openRegular(file: string, flags: number): NamedFile {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for its other end.
    const fd = openSync(file, flags, 0o600);
    const fault = file === "/dev/null" ? undefined : irregularity(fstatSync(fd));
    if (fault === undefined) return { fd, isInherited: false };
    closeSync(fd);
    return { fault };
  } catch (error) {
    return { fault: errorCode(error) };
  }
}

/** It may be a pipe: the shell has started the writer at its other end. */
function inheritedFile(fd: number): NamedFile {
  try {
    return fstatSync(fd).isDirectory() ? { fault: "EISDIR" } : { fd, isInherited: true };
  } catch (error) {
    return { fault: errorCode(error) };
  }
}
