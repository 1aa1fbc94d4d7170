import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sessionFilesMax, sessionFoldersMax } from "#limits/following.ts";

/** The folder of sessions in a state folder. */
export function sessionsFolder(stateFolder: string): string {
  return join(stateFolder, "sessions");
}

/** The folders of days in a folder of sessions, newest first; the oldest beyond `foldersMax` are left out. */
export function dayFolders(
  sessions: string,
  foldersMax: number = sessionFoldersMax,
): readonly string[] {
  const days = namesIn(sessions).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
  const newest = days.toSorted().toReversed().slice(0, foldersMax);
  return newest.map((name) => join(sessions, name));
}

/** Paths of the record files in the folder of a day, newest first; the oldest beyond `filesMax` are left out. */
export function recordFilesIn(
  folder: string,
  filesMax: number = sessionFilesMax,
): readonly string[] {
  const names = namesIn(folder).filter(isRecordFileName);
  return names
    .toSorted()
    .toReversed()
    .slice(0, filesMax)
    .map((name) => join(folder, name));
}

/** True for the name of a file of records. */
export function isRecordFileName(name: string): boolean {
  return name.endsWith(".ndjson");
}

/** A regular file, its size in bytes and the time of its last change. */
export type FileFacts = {
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
};

/** Undefined for anything but a regular file. */
export function factsOf(path: string): FileFacts | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    return { path, bytes: stats.size, changedMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}

/** Names in a folder; none of one that is not there, is a link, or cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
