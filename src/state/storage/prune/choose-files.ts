import { attempt } from "#kit/errors.ts";
import { constants, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode, ownFile } from "#kit/os/file-errors.ts";
import { tryExclusiveFlock } from "#kit/os/c-library.ts";
import { listDayFolders, listNames, listRecordFiles } from "../live/session-files.ts";
import { locateImports, locateSessions } from "../folders.ts";
import { packedRecordsEnding } from "../packed-records.ts";

// Younger files are never removed, because a meter may not have marked its file yet.
export const pruneAgeMinMs = 3_600_000;

export type PrunableFile = {
  readonly path: string;
  readonly kind: "records" | "answer" | "imported";
  readonly bytes: number;
  readonly changedMs: number;
};

export type PrunableFiles = {
  readonly files: readonly PrunableFile[];
  readonly live: number;
  readonly liveBytes: number;
  readonly foreign: number; // files among the records that another program or user wrote
  readonly unreadable: readonly { readonly folder: string; readonly reason: string }[];
};

// The captured group is the beginning of the session's id.
const recordName = /^\d{6}-[\w.-]+-([0-9a-f]{8})\.ndjson$/;
const answerName = /^([0-9a-f]{8})-[0-9a-f-]{27}-\d+\.\w+$/;

// Only files in our folders, with our names and this owner. Follows no link. A running session has
// marked its record file: neither this file nor the session's answers can be pruned.
export function findPrunableFiles(
  stateFolder: string,
  { uid, nowMs }: { readonly uid: number; readonly nowMs: number },
): PrunableFiles {
  const live = new Map<string, number>();
  const countIfLive = ({ path, bytes, changedMs }: PrunableFile, id: string): boolean => {
    if (nowMs - changedMs > pruneAgeMinMs && isFree(path)) return false;
    live.set(id, (live.get(id) ?? 0) + bytes);
    return true;
  };
  const days = listDayFolders(locateSessions(stateFolder), Infinity);
  const dayFolders = days.filter((day) => isOwnedFolder(day, uid));
  const paths = dayFolders.flatMap((day) => listRecordFiles(day, Infinity));
  const ours = paths.flatMap((path) => {
    const file = findOwnedFile(path, "records", uid);
    const id = parseId(path, recordName);
    return file && id !== undefined ? [{ file, id }] : [];
  });
  const records = ours.flatMap(({ file, id }) => (countIfLive(file, id) ? [] : [file]));
  const spills = join(stateFolder, "spills");
  const spillFolders = isOwnedFolder(spills, uid) ? [spills] : [];
  const unreadable = [...dayFolders, ...spillFolders].flatMap(listFaults);
  const names = spillFolders.flatMap(listNames);
  const answers = names.flatMap((name) => {
    const id = parseId(name, answerName);
    const file =
      id === undefined || live.has(id)
        ? undefined
        : findOwnedFile(join(spills, name), "answer", uid);
    return file && nowMs - file.changedMs > pruneAgeMinMs ? [file] : [];
  });
  const liveBytes = [...live.values()].reduce((sum, bytes) => sum + bytes, 0);
  const foreign = paths.length - ours.length;
  const imported = findImportedFiles(locateImports(stateFolder), uid);
  const files = [...records, ...answers, ...imported];
  return { files, live: live.size, liveBytes, foreign, unreadable };
}

// Disturbs no import, because an import replaces whole files. A file is as old as its newest event.
function findImportedFiles(folder: string, uid: number): readonly PrunableFile[] {
  const paths = listOwned(folder, uid).flatMap((client) => listOwned(client, uid));
  const records = paths.filter((path) => path.endsWith(packedRecordsEnding));
  return records.flatMap((path) => findOwnedFile(path, "imported", uid) ?? []);
}

function listOwned(folder: string, uid: number): readonly string[] {
  return isOwnedFolder(folder, uid) ? listNames(folder).map((name) => join(folder, name)) : [];
}

function listFaults(folder: string): PrunableFiles["unreadable"] {
  try {
    readdirSync(folder);
    return [];
  } catch (error) {
    return [{ folder, reason: readErrorCode(error) }];
  }
}

function parseId(path: string, name: RegExp): string | undefined {
  return name.exec(path.slice(path.lastIndexOf("/") + 1))?.[1];
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

function isFree(path: string): boolean {
  return attempt(() => {
    using file = ownFile(
      openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
    );
    return tryExclusiveFlock(file.fd);
  }, false);
}

export type Retention = {
  readonly olderThanMs: number | undefined;
  readonly keepBytes: number | undefined;
};

export type ChosenFile = PrunableFile & { readonly reason: "age" | "size" | "client" };

// Oldest first. Files from the future, due to a wrong clock, count as the newest.
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

// For a prune that no user asked for. Chooses nothing if all files are old: the clock may be wrong.
export function limitAutomaticPrune(
  chosen: readonly ChosenFile[],
  files: readonly PrunableFile[],
  filesMax: number,
): readonly ChosenFile[] {
  const old = chosen.filter(({ reason }) => reason === "age");
  const isClockDoubtful = old.length > 0 && old.length === files.length;
  return isClockDoubtful ? [] : chosen.slice(0, filesMax);
}
