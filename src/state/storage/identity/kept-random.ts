import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function keptRandom(
  folder: string | undefined,
  name: string,
  bytes: number,
): string | undefined {
  if (folder === undefined) return undefined;
  const path = join(folder, name);
  return readRandom(path, bytes) ?? makeRandom(folder, name, bytes);
}

export function readRandom(path: string, bytes: number): string | undefined {
  try {
    const fd = openSync(path, readOnly);
    try {
      const text = Buffer.alloc(bytes * 2);
      const isWhole = fstatSync(fd).isFile() && readSync(fd, text) === text.length;
      return isWhole ? text.toString("latin1") : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Many sessions may begin at once: the first one whose file gets the name has made it. */
function makeRandom(folder: string, name: string, bytes: number): string | undefined {
  const path = join(folder, name);
  const own = ownPath(folder, name);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeRandom(own, bytes);
    linkSync(own, path);
  } catch {
    // It is there by now, or it can hold none.
  }
  removeQuietly(own);
  return readRandom(path, bytes);
}

export function ownPath(folder: string, name: string): string {
  return join(folder, `.${name}.${crypto.randomUUID()}`);
}

/** Synced to disk: after a loss of power the file would be there and empty. */
export function writeRandom(path: string, bytes: number): void {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  writeFileSync(path, random.toString("hex"), { mode: 0o600, flag: "wx", flush: true });
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never made.
  }
}
