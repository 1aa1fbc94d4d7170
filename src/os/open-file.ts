import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { errorCode } from "./error-code.ts";

/** An open file, or why there is none: a system error code or a clause. */
export type NamedFile =
  { readonly fd: number; readonly isInherited: boolean } | { readonly fault: string };

/** Paths of descriptors that the shell opened for us, as in `<(command)`. */
const inheritedPath = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/;

/** Opens a file that a person named for reading. Never waits: a file that is not regular is a fault. */
export function openToRead(file: string): NamedFile {
  const inherited = file === "/dev/stdin" ? "0" : inheritedPath.exec(file)?.[1];
  if (inherited !== undefined) return inheritedFile(Number(inherited));
  return openRegular(file, constants.O_RDONLY | constants.O_NONBLOCK);
}

/**
 * Opens a file that a person named for writing, made with mode 0600 when it is missing. Never waits and never
 * follows a symbolic link: a file that is neither regular nor `/dev/null` is a fault.
 */
export function openToWrite(file: string, flags: number): NamedFile {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  return openRegular(file, flags | O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
}

/** Why this is not a regular file, as a clause or a system error code; undefined when it is one. */
export function irregularity(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  return stats.isDirectory() ? "EISDIR" : `it is a ${fileKind(stats)}, not a regular file`;
}

/** The kind of a file that is not regular, in a word or two. */
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

/** A descriptor that is open already may be a pipe: the shell has started the writer at its other end. */
function inheritedFile(fd: number): NamedFile {
  try {
    return fstatSync(fd).isDirectory() ? { fault: "EISDIR" } : { fd, isInherited: true };
  } catch (error) {
    return { fault: errorCode(error) };
  }
}
