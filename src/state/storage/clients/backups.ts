import { attempt } from "#kit/errors.ts";
import { readdirSync, renameSync, writeFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { sha256 } from "#kit/os/hash.ts";
import { removeQuietly } from "../cache-file.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";

function locateBackups(state: string): string {
  return join(state, "backups");
}

type Backup = { readonly path: string; readonly isNew: boolean };

// Settings may hold secrets, so a backup has the mode 0600. Its name has hashes of the path and the bytes of the
// settings file, so no backup overwrites a different one.
export function keepBackup(
  state: string,
  file: string,
  bytes: Uint8Array,
): Backup | { readonly fault: string } {
  const path = makeBackupPath(state, file, bytes);
  const isNew = !existsSync(path);
  const temporary = `${path}.${crypto.randomUUID()}`;
  try {
    mkdirSync(locateBackups(state), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, bytes, { flag: "wx", mode: 0o600, flush: true });
    renameSync(temporary, path);
    return { path, isNew };
  } catch (error) {
    removeQuietly(temporary);
    return { fault: readErrorCode(error) };
  }
}

/** If the settings equal one of their backups, removes all their backups and returns true. Never throws. */
export function dropBackups(state: string, file: string, current: Uint8Array): boolean {
  const prefix = `${makeSettingsKey(file)}-`;
  const all: readonly string[] = attempt(() => readdirSync(locateBackups(state)), []);
  const names = all.filter((name) => name.startsWith(prefix));
  if (!names.includes(basename(makeBackupPath(state, file, current)))) return false;
  for (const name of names) removeQuietly(join(locateBackups(state), name));
  return true;
}

function makeBackupPath(state: string, file: string, bytes: Uint8Array): string {
  const name = `${makeSettingsKey(file)}-${sha256(bytes)}-${basename(file)}`;
  return join(locateBackups(state), name);
}

export function makeSettingsKey(file: string): string {
  return sha256(resolveRealPath(file)).slice(0, 16);
}
