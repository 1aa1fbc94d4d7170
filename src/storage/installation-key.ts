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
import { installationKeyBytes } from "#limits/budgets.ts";

/** File name of the key in the state folder. */
const keyFile = "installation-key";

const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * The secret of this installation, hexadecimal, which keeps hashes of command lines from being guessed. It is made when
 * it is missing. Empty when the folder can hold no key: hashes are the same from session to session all the same.
 */
export function installationKey(folder: string | undefined): string {
  if (folder === undefined) return "";
  const path = join(folder, keyFile);
  return readKey(path) ?? makeKey(folder, path) ?? "";
}

function readKey(path: string): string | undefined {
  try {
    const fd = openSync(path, readOnly);
    try {
      const bytes = Buffer.alloc(installationKeyBytes * 2);
      const isWhole = fstatSync(fd).isFile() && readSync(fd, bytes) === bytes.length;
      return isWhole ? bytes.toString("latin1") : undefined;
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
}

/** Many sessions may begin at the same time: the first one whose file gets the name has made the key. */
function makeKey(folder: string, path: string): string | undefined {
  const own = `${path}.${crypto.randomUUID()}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const key = Buffer.from(crypto.getRandomValues(new Uint8Array(installationKeyBytes)));
    writeFileSync(own, key.toString("hex"), { mode: 0o600, flag: "wx" });
    linkSync(own, path);
  } catch {
    // It has a key by now, or it can hold none.
  }
  removeQuietly(own);
  return readKey(path);
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It was never made.
  }
}
