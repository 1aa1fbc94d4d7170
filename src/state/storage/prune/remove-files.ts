import { closeSync, constants, openSync, existsSync, rmdirSync, unlinkSync } from "node:fs";
import { join, dirname, relative } from "node:path";
import { catchErrorCode, readErrorCode } from "#kit/os/file-errors.ts";
import { tryExclusiveFlock } from "#kit/os/c-library.ts";
import { attempt, UserError } from "#kit/errors.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import { makeDayTotals, type DayTotal, mergeTotals } from "#history/reports/removed-usage.ts";
import { readRecords } from "../read-records.ts";
import {
  readTotals,
  type SavedTotals,
  locateTotals,
  pruneSentences,
  writeTotals,
} from "./totals-file.ts";
import type { PrunableFile } from "./choose-files.ts";

// Each batch writes the totals twice, so smaller batches would write them more often.
const batchFilesMax = 200;

const totalRowsMax = 200_000;

type Removal = { readonly removed: readonly PrunableFile[]; readonly failed: number };

const allTimeRanges = [{ fromMs: -Infinity, toMs: Infinity }];

// Adds the records of each batch to the saved totals before it removes the files. The totals also keep the names of
// these files. So if this process is killed, no record counts twice.
export async function removeFiles(
  stateFolder: string,
  files: readonly PrunableFile[],
  zone: string,
): Promise<Removal> {
  const pruneFd = excludeOtherPrunes(stateFolder);
  try {
    const before = readTotals(stateFolder) ?? {
      zone: new TimeZone(zone),
      removing: [],
      totals: [],
    };
    let saved = finishRemoval(stateFolder, before);
    // The totals already include the files that an earlier prune counted but did not remove.
    const counted = new Set(before.removing.map((name) => join(stateFolder, name)));
    const removed = files.filter(({ path }) => counted.has(path) && remove(path));
    const uncounted = files.filter(({ path }) => !counted.has(path));
    for (let at = 0; at < uncounted.length; at += batchFilesMax) {
      const batch = await countBatch(stateFolder, uncounted.slice(at, at + batchFilesMax), saved);
      removed.push(...batch.files.filter(({ path }) => remove(path)));
      saved = finishRemoval(stateFolder, batch.saved);
    }
    for (const day of new Set(files.map(({ path }) => dirname(path)))) removeIfEmpty(day);
    const removedFiles = new Set(removed);
    const failed = files.filter((file) => !removedFiles.has(file) && existsSync(file.path)).length;
    return { removed, failed };
  } finally {
    closeSync(pruneFd);
  }
}

type CountedBatch = { readonly files: readonly PrunableFile[]; readonly saved: SavedTotals };

async function countBatch(
  stateFolder: string,
  batch: readonly PrunableFile[],
  saved: SavedTotals,
): Promise<CountedBatch> {
  const records = batch.filter(({ kind }) => kind === "records");
  const others = batch.filter(({ kind }) => kind !== "records");
  const counted = await countReadable(records, saved.zone);
  if (counted.files.length === 0) return { files: others, saved };
  const totals = mergeTotals([...saved.totals, ...counted.totals]);
  if (totals.length > totalRowsMax)
    throw new UserError(pruneSentences.totalsFull(locateTotals(stateFolder)));
  const removing = counted.files.map(({ path }) => relative(stateFolder, path));
  const next = { ...saved, totals, removing: [...saved.removing, ...removing] };
  writeTotals(stateFolder, next);
  return { files: [...counted.files, ...others], saved: next };
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
  return { files, totals: makeDayTotals(cube.makeFacts()) };
}

function finishRemoval(stateFolder: string, saved: SavedTotals): SavedTotals {
  if (saved.removing.length === 0) return saved;
  const remaining = saved.removing.filter((name) => !remove(join(stateFolder, name)));
  const next = { ...saved, removing: remaining };
  writeTotals(stateFolder, next);
  return next;
}

function remove(path: string): boolean {
  const fault = catchErrorCode(() => unlinkSync(path));
  return fault === undefined || fault === "ENOENT";
}

function removeIfEmpty(folder: string): void {
  attempt(() => rmdirSync(folder));
}

// Two processes would overwrite each other's totals. Returns the descriptor of the locked file.
function excludeOtherPrunes(stateFolder: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const path = join(stateFolder, "prune.lock");
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new UserError(pruneSentences.totalsUnwritable(path, readErrorCode(error)));
  }
  if (tryExclusiveFlock(fd)) return fd;
  closeSync(fd);
  throw new UserError(pruneSentences.pruneBusy(path));
}
