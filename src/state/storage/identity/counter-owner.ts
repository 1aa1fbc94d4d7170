import { attempt } from "#kit/errors.ts";
import { basename, resolve } from "node:path";
import { readFileSync, statSync } from "node:fs";
import { userInfo } from "node:os";
import { keyedSha256 } from "#kit/os/hash.ts";
import { makeServerLabel } from "#meter/session/server-label.ts";
import { findOrMakeRandom } from "./machine-id.ts";

const installationKeyBytes = 32;

const keyFile = "installation-key";

// Without the key, hashed command lines could be guessed. It is empty if the folder can hold no key.
export function findOrMakeInstallationKey(folder: string | undefined): string {
  return findOrMakeRandom(folder, keyFile, installationKeyBytes) ?? "";
}

const ownerDigits = 6;

// Appends a keyed hash of the command to a label, so that two servers with the same label do not share counters.
export function nameCounterOwner(command: readonly string[], folder: string | undefined): string {
  const text = JSON.stringify(command.map(resolvePath));
  const digits = keyedSha256(findOrMakeInstallationKey(folder), text).slice(0, ownerDigits);
  return `${makeServerLabel(command.map(shortenPath))}-${digits}`;
}

// Shortens a path to its file name: folders may contain white space, and a label leaves out words with white space.
function shortenPath(word: string): string {
  return isFile(word) ? basename(word) : word;
}

// `dist/index.js` is a different server in each directory.
function resolvePath(word: string): string {
  return isFile(word) ? resolve(word) : word;
}

function isFile(word: string): boolean {
  return attempt(() => statSync(word, { throwIfNoEntry: false })?.isFile() === true, false);
}

const passwdFile = "/etc/passwd";

/** Prefers the name in /etc/passwd, because users can change environment variables. */
export function findLoginName(env: { readonly [name: string]: string | undefined }): string {
  const { uid } = attempt(() => userInfo(), noUser);
  const { USER, LOGNAME, USERNAME } = env;
  return findListedName(uid) ?? USER ?? LOGNAME ?? USERNAME ?? `uid ${uid}`;
}

// On Windows, Node reports the uid -1 for every user.
const noUser = { uid: -1 };

function findListedName(uid: number): string | undefined {
  const lines = attempt(() => readFileSync(passwdFile, "utf8").split("\n"), []);
  const fields = lines.map((line) => line.split(":"));
  return fields.find(([, , id]) => id === String(uid))?.[0];
}
