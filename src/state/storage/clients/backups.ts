import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode } from "#kit/os/error-code.ts";
import { realPath } from "#kit/os/own-executable.ts";
import { sha256 } from "#kit/os/sha256.ts";

function backupsFolder(state: string): string {
  return join(state, "backups");
}

type Backup = { readonly backup: string; readonly isNew: boolean };

/** With mode 0600: settings may hold secrets. The name has hashes of path and bytes, so that no backup is ever overwritten by another. */
export function keepBackup(
  state: string,
  file: string,
  bytes: Uint8Array,
): Backup | { readonly fault: string } {
  const backup = backupPath(state, file, bytes);
  const isNew = !existsSync(backup);
  const fresh = `${backup}.${crypto.randomUUID()}`;
  try {
    mkdirSync(backupsFolder(state), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, bytes, { flag: "wx", mode: 0o600, flush: true });
    renameSync(fresh, backup);
    return { backup, isNew };
  } catch (error) {
    if (existsSync(fresh)) rmSync(fresh, { force: true });
    return { fault: errorCode(error) };
  }
}

/** Acts only if the bytes are those of one backup again; true if they were. */
export function dropBackups(state: string, file: string, bytes: Uint8Array): boolean {
  const names = backupNames(state, file);
  if (!names.includes(basename(backupPath(state, file, bytes)))) return false;
  for (const name of names) rmSync(join(backupsFolder(state), name), { force: true });
  return true;
}

function backupNames(state: string, file: string): readonly string[] {
  try {
    return readdirSync(backupsFolder(state)).filter((name) =>
      name.startsWith(`${settingsKey(file)}-`),
    );
  } catch {
    return [];
  }
}

function backupPath(state: string, file: string, bytes: Uint8Array): string {
  const name = `${settingsKey(file)}-${sha256(bytes)}-${basename(file)}`;
  return join(backupsFolder(state), name);
}

export function settingsKey(file: string): string {
  return sha256(realPath(file)).slice(0, 16);
}
