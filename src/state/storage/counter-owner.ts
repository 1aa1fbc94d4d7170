import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { keyedSha256 } from "#kit/os/sha256.ts";
import { serverLabel } from "#meter/session/server-label.ts";
import { installationKey } from "./installation-key.ts";

// 16 million values separate the few servers of a program.
const ownerDigits = 6;

/** The label of the command, and six digits of a keyed hash of the whole command line: two servers that the same program starts do not share counters. */
export function counterOwner(command: readonly string[], folder: string | undefined): string {
  const text = JSON.stringify(command.map(located));
  const digits = keyedSha256(installationKey(folder), text).slice(0, ownerDigits);
  return `${serverLabel(command.map(named))}-${digits}`;
}

/** A file by its name alone: its folder may contain white space, which a label takes for code. */
function named(word: string): string {
  return isFile(word) ? basename(word) : word;
}

/** `dist/index.js` is another server in another directory. */
function located(word: string): string {
  return isFile(word) ? resolve(word) : word;
}

function isFile(word: string): boolean {
  try {
    return statSync(word, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
