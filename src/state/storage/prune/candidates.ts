import { closeSync, constants, lstatSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#kit/os/file-errors.ts";
import { takeAlone } from "#kit/os/file-lock.ts";
import { dayFolders, namesIn, recordFilesIn, sessionsFolder } from "../live/session-files.ts";

// Younger files are never removed: a meter may not have locked its file yet.
export const pruneAgeMinMs = 3_600_000;

export type PrunableFile = {
  readonly path: string;
  readonly kind: "records" | "answer";
  readonly bytes: number;
  readonly changedMs: number;
};

export type PrunableFiles = {
  readonly files: readonly PrunableFile[];
  readonly live: number;
  readonly liveBytes: number;
  readonly unreadable: readonly { readonly folder: string; readonly reason: string }[];
};

const recordName = /^\d{6}-[\w.-]+-([0-9a-f]{8})\.ndjson$/;
const answerName = /^([0-9a-f]{8})-[0-9a-f-]{27}-\d+\.\w+$/;

/** Ours by place, name, kind and owner; follows no link. A running session's file is locked by its meter. */
export function prunableFiles(
  stateFolder: string,
  { uid, nowMs }: { readonly uid: number; readonly nowMs: number },
): PrunableFiles {
  const live = new Map<string, number>();
  const isLive = ({ path, bytes, changedMs }: PrunableFile, id: string): boolean => {
    // A file that is new may not be locked yet: it is not touched.
    if (nowMs - changedMs > pruneAgeMinMs && isFree(path)) return false;
    live.set(id, (live.get(id) ?? 0) + bytes);
    return true;
  };
  const days = dayFolders(sessionsFolder(stateFolder), Infinity);
  const own = days.filter((day) => isOwnFolder(day, uid));
  const paths = own.flatMap((day) => recordFilesIn(day, Infinity));
  const records = paths.flatMap((path) => {
    const file = ownFile(path, "records", uid);
    const id = idIn(path, recordName);
    return file && id !== undefined && !isLive(file, id) ? [file] : [];
  });
  const spills = join(stateFolder, "spills");
  const ownSpills = isOwnFolder(spills, uid) ? [spills] : [];
  const unreadable = [...own, ...ownSpills].flatMap(readFault);
  const names = ownSpills.flatMap(namesIn);
  const answers = names.flatMap((name) => {
    const id = idIn(name, answerName);
    const file =
      id === undefined || live.has(id) ? undefined : ownFile(join(spills, name), "answer", uid);
    return file && nowMs - file.changedMs > pruneAgeMinMs ? [file] : [];
  });
  const liveBytes = [...live.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { files: [...records, ...answers], live: live.size, liveBytes, unreadable };
}

function readFault(folder: string): PrunableFiles["unreadable"] {
  try {
    readdirSync(folder);
    return [];
  } catch (error) {
    return [{ folder, reason: errorCode(error) }];
  }
}

function idIn(path: string, name: RegExp): string | undefined {
  return name.exec(path.slice(path.lastIndexOf("/") + 1))?.[1];
}

function isOwnFolder(path: string, uid: number): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === uid;
  } catch {
    return false;
  }
}

function ownFile(path: string, kind: PrunableFile["kind"], uid: number): PrunableFile | undefined {
  try {
    const stats = lstatSync(path);
    const isOurs = stats.isFile() && stats.uid === uid && stats.nlink === 1;
    return isOurs ? { path, kind, bytes: stats.size, changedMs: stats.mtimeMs } : undefined;
  } catch {
    return undefined;
  }
}

function isFree(path: string): boolean {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return takeAlone(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

export type Retention = {
  readonly olderThanMs: number | undefined;
  readonly keepBytes: number | undefined;
};

export type ChosenFile = PrunableFile & { readonly reason: "age" | "size" };

/** Oldest first. Files from the future, by a wrong clock, count as the newest. */
export function chooseFiles(
  { files, liveBytes }: Pick<PrunableFiles, "files" | "liveBytes">,
  { olderThanMs, keepBytes }: Retention,
  nowMs: number,
): readonly ChosenFile[] {
  const oldestFirst = files.toSorted((one, other) => one.changedMs - other.changedMs);
  let left = files.reduce((sum, { bytes }) => sum + bytes, liveBytes);
  return oldestFirst.flatMap((file): ChosenFile[] => {
    const isOld = olderThanMs !== undefined && nowMs - file.changedMs > olderThanMs;
    const isTooMuch = keepBytes !== undefined && left > keepBytes;
    if (!isOld && !isTooMuch) return [];
    left -= file.bytes;
    return [{ ...file, reason: isOld ? "age" : "size" }];
  });
}

/** None if all files are old, as the clock may be wrong; otherwise a bounded number. */
export function withoutQuestion(
  chosen: readonly ChosenFile[],
  all: readonly PrunableFile[],
  filesMax: number,
): readonly ChosenFile[] {
  const old = chosen.filter(({ reason }) => reason === "age");
  const isClockDoubtful = old.length > 0 && old.length === all.length;
  return isClockDoubtful ? [] : chosen.slice(0, filesMax);
}
