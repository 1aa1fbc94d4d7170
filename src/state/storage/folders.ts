import { attempt, UserError } from "#kit/errors.ts";
import { dirname, join } from "node:path";
import { statSync } from "node:fs";
import { catchErrorCode, readErrorCode } from "#kit/os/file-errors.ts";
import { storageSentences } from "./sentences.ts";

export type FolderEnv = Readonly<{ [name: string]: string | undefined }>;

export function findStateFolder(env: FolderEnv): string | undefined {
  return findFolder(env, "XDG_STATE_HOME", [".local", "state"]);
}

export function requireStateFolder(
  env: FolderEnv,
  homeMissing: string = storageSentences.stateHomeMissing(),
): string {
  const folder = findStateFolder(env);
  if (folder === undefined) throw new UserError(homeMissing);
  rejectOccupiedFolder(folder);
  return folder;
}

export function locateInState(env: FolderEnv, name: string): string | undefined {
  const folder = findStateFolder(env);
  return folder === undefined ? undefined : join(folder, name);
}

/** Throws UserError if `folder`, or a path above it, is a file. */
export function rejectOccupiedFolder(folder: string): void {
  const blocking = findBlockingFile(folder);
  if (blocking === undefined) return;
  throw new UserError(storageSentences.stateFolderOccupied(folder, blocking));
}

function findBlockingFile(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : path;
  } catch (error) {
    return readErrorCode(error) === "ENOTDIR" ? findBlockingFile(dirname(path)) : undefined;
  }
}

export function locateSessions(state: string): string {
  return join(state, "sessions");
}

export function locateImports(state: string): string {
  return join(state, "imports");
}

export function locateImportCache(state: string): string {
  return join(state, "import-cache");
}

export function findConfigFolder(env: FolderEnv): string | undefined {
  return findFolder(env, "XDG_CONFIG_HOME", [".config"]);
}

function findFolder(
  env: FolderEnv,
  variable: string,
  belowHome: readonly string[],
): string | undefined {
  const base = keepAbsolute(env[variable]);
  if (base !== undefined) return join(base, "mcp-meter");
  const home = findHomeFolder(env);
  return home === undefined ? undefined : join(home, ...belowHome, "mcp-meter");
}

export function findHomeFolder(env: FolderEnv): string | undefined {
  return keepAbsolute(env["HOME"] ?? env["USERPROFILE"]);
}

// The XDG specification requires programs to ignore relative paths.
function keepAbsolute(path: string | undefined): string | undefined {
  return path !== undefined && (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path))
    ? path
    : undefined;
}

// Also true if the path cannot be examined, for example without permission: a later read reports why.
export function mayExist(path: string): boolean {
  const fault = catchErrorCode(() => statSync(path));
  return fault !== "ENOENT" && fault !== "ENOTDIR";
}

export function isFolder(path: string): boolean {
  return attempt(() => statSync(path).isDirectory(), false);
}
