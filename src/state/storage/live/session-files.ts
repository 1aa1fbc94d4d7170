import { attempt } from "#kit/errors.ts";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { shortenHash } from "../record-file.ts";

export const sessionFilesMax = 20_000;

// Each day folder takes a file watch. This limit is enough for a year of daily sessions.
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

/** `session` is the hash of the client's session id, and `process` is the id of the client's process. */
type MarkedLimits = {
  readonly sinceMs?: number;
  readonly daysMax?: number;
  readonly bytesMax?: number;
};

export type MarkedFiles = {
  readonly paths: readonly string[]; // oldest first
  readonly isComplete: boolean; // false if the oldest were left out because of `bytesMax`
};

/** Opens no file: `prepareRecordPath` puts the mark into the names of record files. */
export function findMarkedFiles(
  sessions: string,
  mark: { readonly session: string } | { readonly process: string },
  { sinceMs = -Infinity, daysMax = Infinity, bytesMax = Infinity }: MarkedLimits = {},
): MarkedFiles {
  const client =
    "session" in mark ? `${shortenHash(mark.session)}\\.\\d+` : `[0-9a-f]+\\.${mark.process}`;
  const marked = new RegExp(`-${client}-[0-9a-f]+\\.ndjson$`);
  const newest = listDayFolders(sessions, daysMax).flatMap((day) => {
    const names = listNames(day).filter((name) => marked.test(name));
    return names
      .toSorted()
      .toReversed()
      .flatMap((name) => readFileFacts(join(day, name)) ?? []);
  });
  const recent = newest.filter(({ changedMs }) => changedMs >= sinceMs);
  const paths: string[] = [];
  let bytesLeft = bytesMax;
  for (const { path, bytes } of recent) {
    bytesLeft -= bytes;
    if (bytesLeft >= 0) paths.unshift(path);
  }
  return { paths, isComplete: paths.length === recent.length };
}
