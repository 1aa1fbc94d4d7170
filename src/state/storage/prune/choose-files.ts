import { attempt } from "#kit/errors.ts";
import { constants, lstatSync, openSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { catchErrorCode, makeDisposableFile } from "#kit/os/file-errors.ts";
import { tryExclusiveFlock } from "#kit/os/c-library.ts";
import { listDayFolders, listNames, listRecordFiles } from "../live/session-files.ts";
import { locateImports, locateSessions } from "../folders.ts";
import { packedRecordsEnding } from "../compressed-files.ts";

// Younger records and answers are never removed: their session may be running but not yet marked as in use.
export const pruneAgeMinMs = 3_600_000;

export type PrunableFile = {
  readonly path: string;
  readonly kind: "records" | "answer" | "imported";
  readonly bytes: number;
  readonly changedMs: number; // for an imported file, the time of its newest event
};

export type PrunableFiles = {
  readonly files: readonly PrunableFile[];
  readonly liveSessions: number;
  readonly liveBytes: number;
  readonly foreign: number; // files of another program or user among the records
  readonly unreadable: readonly { readonly folder: string; readonly reason: string }[];
};

// The captured group is the beginning of the session's id.
const recordName = /^\d{6}-[\w.-]+-([0-9a-f]{8})\.ndjson$/;
const answerName = /^([0-9a-f]{8})-[0-9a-f-]{27}-\d+\.\w+$/;

// Finds our records, answers and imported files that belong to user `uid`. Leaves out the records and answers of
// sessions that may be running. Follows no link.
export function findPrunableFiles(
  stateFolder: string,
  { uid, nowMs }: { readonly uid: number; readonly nowMs: number },
): PrunableFiles {
  const days = listDayFolders(locateSessions(stateFolder), Infinity);
  const dayFolders = days.filter((day) => isOwnedFolder(day, uid));
  const paths = dayFolders.flatMap((day) => listRecordFiles(day, Infinity));
  const isOld = ({ changedMs }: PrunableFile): boolean => nowMs - changedMs > pruneAgeMinMs;
  const sessions = paths.flatMap((path) => {
    const file = findOwnedFile(path, "records", uid);
    const id = parseId(path, recordName);
    return file && id !== undefined ? [{ file, id, isLive: !isOld(file) || isMarked(path) }] : [];
  });
  const records = sessions.flatMap(({ file, isLive }) => (isLive ? [] : [file]));
  const live = sessions.filter(({ isLive }) => isLive);
  const liveIds = new Set(live.map(({ id }) => id));
  const spills = join(stateFolder, "spills");
  const answers = listOwned(spills, uid).flatMap((path) => {
    const id = parseId(path, answerName);
    if (id === undefined || liveIds.has(id)) return [];
    const file = findOwnedFile(path, "answer", uid);
    return file && isOld(file) ? [file] : [];
  });
  const imported = findImportedFiles(locateImports(stateFolder), uid);
  const spillFolders = isOwnedFolder(spills, uid) ? [spills] : [];
  return {
    files: [...records, ...answers, ...imported],
    liveSessions: liveIds.size,
    liveBytes: live.reduce((sum, { file }) => sum + file.bytes, 0),
    foreign: paths.length - sessions.length,
    unreadable: [...dayFolders, ...spillFolders].flatMap(listFaults),
  };
}

// Imported files need no minimum age, because no running session writes to them.
function findImportedFiles(folder: string, uid: number): readonly PrunableFile[] {
  const paths = listOwned(folder, uid).flatMap((client) => listOwned(client, uid));
  const records = paths.filter((path) => path.endsWith(packedRecordsEnding));
  return records.flatMap((path) => findOwnedFile(path, "imported", uid) ?? []);
}

function listOwned(folder: string, uid: number): readonly string[] {
  return isOwnedFolder(folder, uid) ? listNames(folder).map((name) => join(folder, name)) : [];
}

function listFaults(folder: string): PrunableFiles["unreadable"] {
  const reason = catchErrorCode(() => readdirSync(folder));
  return reason === undefined ? [] : [{ folder, reason }];
}

function parseId(path: string, name: RegExp): string | undefined {
  return name.exec(basename(path))?.[1];
}

function isOwnedFolder(path: string, uid: number): boolean {
  return attempt(() => {
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === uid;
  }, false);
}

function findOwnedFile(
  path: string,
  kind: PrunableFile["kind"],
  uid: number,
): PrunableFile | undefined {
  return attempt(() => {
    const stats = lstatSync(path);
    const isOwned = stats.isFile() && stats.uid === uid && stats.nlink === 1;
    return isOwned ? { path, kind, bytes: stats.size, changedMs: stats.mtimeMs } : undefined;
  });
}

function isMarked(path: string): boolean {
  return attempt(() => {
    using file = makeDisposableFile(
      openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
    );
    return !tryExclusiveFlock(file.fd);
  }, true);
}

export type Retention = {
  readonly olderThanMs: number | undefined;
  readonly keepBytes: number | undefined;
};

export type ChosenFile = PrunableFile & { readonly reason: "age" | "size" | "client" };

export function chooseFiles(
  { files, liveBytes }: Pick<PrunableFiles, "files" | "liveBytes">,
  { olderThanMs, keepBytes }: Retention,
  nowMs: number,
): readonly ChosenFile[] {
  const oldestFirst = files.toSorted((a, b) => a.changedMs - b.changedMs);
  let remainingBytes = files.reduce((sum, { bytes }) => sum + bytes, liveBytes);
  return oldestFirst.flatMap((file): ChosenFile[] => {
    const isOld = olderThanMs !== undefined && nowMs - file.changedMs > olderThanMs;
    const isTooMuch = keepBytes !== undefined && remainingBytes > keepBytes;
    if (!isOld && !isTooMuch) return [];
    remainingBytes -= file.bytes;
    return [{ ...file, reason: isOld ? "age" : "size" }];
  });
}
