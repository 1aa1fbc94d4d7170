import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { UserError } from "#kit/errors.ts";
import { errorCode } from "#kit/os/file-errors.ts";
import { takeAlone } from "#kit/os/file-lock.ts";
import { Cube } from "#history/reports/cube.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { dayTotals, type DayTotal, mergeTotals } from "#history/reports/totals/day-totals.ts";
import { readRecords } from "../record-reader.ts";
import type { PrunableFile } from "./candidates.ts";
import { readTotals, type SavedTotals, totalsPath, writeTotals } from "./totals-file.ts";
import { pruneSentences } from "./sentences.ts";

// Each batch writes the totals twice.
const pruneBatchMax = 200;

// Years of a busy user, some twenty megabytes.
const totalRowsMax = 200_000;

export type Removal = { readonly removed: readonly PrunableFile[]; readonly failed: number };

const allTime = [{ fromMs: -Infinity, toMs: Infinity }];

/**
 * Adds the records to the totals of their days, then removes the files. A kill meanwhile counts no record twice: the
 * totals name the files that they include before these are removed. Throws UserError when another process does the
 * same, or the totals cannot be read or written.
 */
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
    // The totals have the records of these, also of those that cannot be removed.
    const counted = new Set(before.removing.map((name) => join(stateFolder, name)));
    const removed = files.filter(({ path }) => counted.has(path) && remove(path));
    const left = files.filter(({ path }) => !counted.has(path));
    for (let at = 0; at < left.length; at += pruneBatchMax) {
      const batch = await countBatch(stateFolder, left.slice(at, at + pruneBatchMax), saved);
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

/** A file whose records cannot be read stays. */
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
  const cube = new Cube({ ranges: allTime, zone });
  for (const file of files) {
    try {
      await readRecords(file.path, (record) => cube.add(record));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      // The beginning of its records may be in the cube.
      return countReadable(
        files.filter((one) => one !== file),
        zone,
      );
    }
  }
  return { files, totals: dayTotals(cube.facts()) };
}

/** Completes the removal of a process that was killed. */
function finishRemoval(stateFolder: string, saved: SavedTotals): SavedTotals {
  if (saved.removing.length === 0) return saved;
  const left = saved.removing.filter((name) => !remove(join(stateFolder, name)));
  const next = { ...saved, removing: left };
  writeTotals(stateFolder, next);
  return next;
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    return errorCode(error) === "ENOENT";
  }
}

function removeEmpty(folder: string): void {
  try {
    if (lstatSync(folder).isDirectory()) rmdirSync(folder);
  } catch {
    // It has other files.
  }
}

/** Two processes would write the same totals. */
function lockPrune(stateFolder: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const path = join(stateFolder, "prune.lock");
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new UserError(pruneSentences.totalsUnwritable(path, errorCode(error)));
  }
  if (takeAlone(fd)) return fd;
  closeSync(fd);
  throw new UserError(pruneSentences.pruneBusy(path));
}
