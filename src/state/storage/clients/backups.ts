import { readdirSync, renameSync, rmSync, writeFileSync, existsSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { resolveRealPath } from "#kit/os/own-executable.ts";
import { sha256 } from "#kit/os/hash.ts";

function locateBackups(state: string): string {
  return join(state, "backups");
}

type Backup = { readonly backup: string; readonly isNew: boolean };

// With mode 0600: settings may hold secrets. The name has hashes of path and bytes, so that no
// backup overwrites another.
export function keepBackup(
  state: string,
  file: string,
  bytes: Uint8Array,
): Backup | { readonly fault: string } {
  const backup = makeBackupPath(state, file, bytes);
  const isNew = !existsSync(backup);
  const fresh = `${backup}.${crypto.randomUUID()}`;
  try {
    mkdirSync(locateBackups(state), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, bytes, { flag: "wx", mode: 0o600, flush: true });
    renameSync(fresh, backup);
    return { backup, isNew };
  } catch (error) {
    if (existsSync(fresh)) rmSync(fresh, { force: true });
    return { fault: readErrorCode(error) };
  }
}

export function dropBackups(state: string, file: string, bytes: Uint8Array): boolean {
  const names = listBackups(state, file);
  if (!names.includes(basename(makeBackupPath(state, file, bytes)))) return false;
  for (const name of names) rmSync(join(locateBackups(state), name), { force: true });
  return true;
}

function listBackups(state: string, file: string): readonly string[] {
  try {
    return readdirSync(locateBackups(state)).filter((name) =>
      name.startsWith(`${makeSettingsKey(file)}-`),
    );
  } catch {
    return [];
  }
}

function makeBackupPath(state: string, file: string, bytes: Uint8Array): string {
  const name = `${makeSettingsKey(file)}-${sha256(bytes)}-${basename(file)}`;
  return join(locateBackups(state), name);
}

export function makeSettingsKey(file: string): string {
  return sha256(resolveRealPath(file)).slice(0, 16);
}
