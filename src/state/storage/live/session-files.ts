import { attempt } from "#kit/errors.ts";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const sessionFilesMax = 20_000;

// The newest folders: a year of daily sessions. Each folder takes a file watch.
export const sessionFoldersMax = 400;

export function listDayFolders(
  sessions: string,
  foldersMax: number = sessionFoldersMax,
): readonly string[] {
  const days = listNames(sessions).filter((name) => /^\d{4}-\d{2}-\d{2}$/.test(name));
  const newest = days.toSorted().toReversed().slice(0, foldersMax);
  return newest.map((name) => join(sessions, name));
}

export function listRecordFiles(
  folder: string,
  filesMax: number = sessionFilesMax,
): readonly string[] {
  const names = listNames(folder).filter(isRecordFileName);
  return names
    .toSorted()
    .toReversed()
    .slice(0, filesMax)
    .map((name) => join(folder, name));
}

export function isRecordFileName(name: string): boolean {
  return name.endsWith(".ndjson");
}

export type FileFacts = {
  readonly path: string;
  readonly bytes: number;
  readonly changedMs: number;
};

export function readFileFacts(path: string): FileFacts | undefined {
  return attempt(() => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() !== true) return undefined;
    return { path, bytes: stats.size, changedMs: stats.mtimeMs };
  });
}

export function listNames(folder: string): readonly string[] {
  return attempt(() => (lstatSync(folder).isDirectory() ? readdirSync(folder) : []), []);
}
