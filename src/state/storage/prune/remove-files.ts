import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  existsSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { join, dirname, relative } from "node:path";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { tryLockExclusive } from "#kit/os/file-lock.ts";
import { listDayFolders, listNames, listRecordFiles } from "../live/session-files.ts";
import { sessionsFolder } from "../folders.ts";
import { UserError } from "#kit/errors.ts";
import { Cube } from "#history/reports/cube.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import {
  makeDayTotals,
  type DayTotal,
  mergeTotals,
} from "#history/reports/totals/removed-usage.ts";
import { readRecords } from "../record-reader.ts";
import { readTotals, type SavedTotals, totalsPath, writeTotals } from "./totals-file.ts";
import { pruneSentences } from "./sentences.ts";

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

// Files that are ours by folder, name, kind and owner. Follows no link.
// The meter of a running session has locked its file.
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
  const days = listDayFolders(sessionsFolder(stateFolder), Infinity);
  const ownDayFolders = days.filter((day) => isOwnFolder(day, uid));
  const paths = ownDayFolders.flatMap((day) => listRecordFiles(day, Infinity));
  const records = paths.flatMap((path) => {
    const file = findOwnFile(path, "records", uid);
    const id = parseId(path, recordName);
    return file && id !== undefined && !countIfLive(file, id) ? [file] : [];
  });
  const spills = join(stateFolder, "spills");
  const ownSpills = isOwnFolder(spills, uid) ? [spills] : [];
  const unreadable = [...ownDayFolders, ...ownSpills].flatMap(findFault);
  const names = ownSpills.flatMap(listNames);
  const answers = names.flatMap((name) => {
    const id = parseId(name, answerName);
    const file =
      id === undefined || live.has(id) ? undefined : findOwnFile(join(spills, name), "answer", uid);
    return file && nowMs - file.changedMs > pruneAgeMinMs ? [file] : [];
  });
  const liveBytes = [...live.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { files: [...records, ...answers], live: live.size, liveBytes, unreadable };
}

function findFault(folder: string): PrunableFiles["unreadable"] {
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

function isOwnFolder(path: string, uid: number): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === uid;
  } catch {
    return false;
  }
}

function findOwnFile(
  path: string,
  kind: PrunableFile["kind"],
  uid: number,
): PrunableFile | undefined {
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
      return tryLockExclusive(fd);
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

// For a prune without a request: none if all files are old, as the clock may be wrong.
export function chooseUnasked(
  chosen: readonly ChosenFile[],
  files: readonly PrunableFile[],
  filesMax: number,
): readonly ChosenFile[] {
  const old = chosen.filter(({ reason }) => reason === "age");
  const isClockDoubtful = old.length > 0 && old.length === files.length;
  return isClockDoubtful ? [] : chosen.slice(0, filesMax);
}

// Each batch writes the totals twice.
const pruneBatchMax = 200;

const totalRowsMax = 200_000;

type Removal = { readonly removed: readonly PrunableFile[]; readonly failed: number };

const allTimeRanges = [{ fromMs: -Infinity, toMs: Infinity }];

// Totals name the counted files before these are removed, so that a kill counts no record twice.
export async function removeFiles(
  stateFolder: string,
  files: readonly PrunableFile[],
  zone: string,
): Promise<Removal> {
  const lock = lockPrune(stateFolder);
  try {
    const before = readTotals(stateFolder) ?? {
      zone: new TimeZone(zone),
      removing: [],
      totals: [],
    };
    let saved = finishRemoval(stateFolder, before);
    // In the totals since an interrupted removal, even if they cannot be removed.
    const counted = new Set(before.removing.map((name) => join(stateFolder, name)));
    const removed = files.filter(({ path }) => counted.has(path) && remove(path));
    const uncounted = files.filter(({ path }) => !counted.has(path));
    for (let at = 0; at < uncounted.length; at += pruneBatchMax) {
      const batch = await countBatch(stateFolder, uncounted.slice(at, at + pruneBatchMax), saved);
      removed.push(...batch.files.filter(({ path }) => remove(path)));
      saved = finishRemoval(stateFolder, batch.saved);
    }
    for (const day of new Set(files.map(({ path }) => dirname(path)))) removeEmpty(day);
    const gone = new Set(removed);
    const failed = files.filter((file) => !gone.has(file) && existsSync(file.path)).length;
    return { removed, failed };
  } finally {
    closeSync(lock);
  }
}

type CountedBatch = { readonly files: readonly PrunableFile[]; readonly saved: SavedTotals };

async function countBatch(
  stateFolder: string,
  batch: readonly PrunableFile[],
  saved: SavedTotals,
): Promise<CountedBatch> {
  const records = batch.filter(({ kind }) => kind === "records");
  const answers = batch.filter(({ kind }) => kind === "answer");
  const counted = await countReadable(records, saved.zone);
  if (counted.files.length === 0) return { files: answers, saved };
  const totals = mergeTotals([...saved.totals, ...counted.totals]);
  if (totals.length > totalRowsMax)
    throw new UserError(pruneSentences.totalsFull(totalsPath(stateFolder)));
  const removing = counted.files.map(({ path }) => relative(stateFolder, path));
  const next = { ...saved, totals, removing: [...saved.removing, ...removing] };
  writeTotals(stateFolder, next);
  return { files: [...counted.files, ...answers], saved: next };
}

async function countReadable(
  files: readonly PrunableFile[],
  zone: TimeZone,
): Promise<{ readonly files: readonly PrunableFile[]; readonly totals: readonly DayTotal[] }> {
  const cube = new Cube({ ranges: allTimeRanges, zone });
  for (const file of files) {
    try {
      await readRecords(file.path, (record) => cube.add(record));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // Starts again: some records of the unreadable file may be in the cube already.
      return countReadable(
        files.filter((candidate) => candidate !== file),
        zone,
      );
    }
  }
  return { files, totals: makeDayTotals(cube.facts()) };
}

function finishRemoval(stateFolder: string, saved: SavedTotals): SavedTotals {
  if (saved.removing.length === 0) return saved;
  const remaining = saved.removing.filter((name) => !remove(join(stateFolder, name)));
  const next = { ...saved, removing: remaining };
  writeTotals(stateFolder, next);
  return next;
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return readErrorCode(error) === "ENOENT";
  }
}

function removeEmpty(folder: string): void {
  try {
    if (lstatSync(folder).isDirectory()) rmdirSync(folder);
  } catch {
    // It has other files.
  }
}

// Two processes would overwrite each other's totals.
function lockPrune(stateFolder: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const path = join(stateFolder, "prune.lock");
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new UserError(pruneSentences.totalsUnwritable(path, readErrorCode(error)));
  }
  if (tryLockExclusive(fd)) return fd;
  closeSync(fd);
  throw new UserError(pruneSentences.pruneBusy(path));
}
