import { closeSync, constants, lstatSync, openSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { sentences, UserError } from "#errors.ts";
import { pruneBatchMax, totalRowsMax } from "#limits.ts";
import { errorCode } from "#os/error-code.ts";
import { takeAlone } from "#os/file-lock.ts";
import { Cube } from "#reports/cube.ts";
import { TimeZone } from "#reports/time-zone.ts";
import { readRecords } from "../record-reader.ts";
import type { PrunableFile } from "./candidates.ts";
import { dayTotals, mergeTotals, type DayTotal } from "./day-totals.ts";
import { readTotals, type SavedTotals, totalsPath, writeTotals } from "./totals-file.ts";

/** The files that were removed, and those that could not be. */
export type Removal = { readonly removed: readonly PrunableFile[]; readonly failed: number };

const allTime = [{ fromMs: -Infinity, toMs: Infinity }];

/**
 * Adds the records of files to the totals of their days, and removes the files. A process that is killed meanwhile leaves
 * no record counted twice: the totals name the files that they include before these are removed. `zone` is that of days, where
 * there are no totals yet. Throws UserError when another process does the same, or the totals cannot be read or written.
 */
export async function removeFiles(
  stateFolder: string,
  files: readonly PrunableFile[],
  zone: string,
): Promise<Removal> {
  const lock = lockPrune(stateFolder);
  try {
    let saved = finishRemoval(
      stateFolder,
      readTotals(stateFolder) ?? { zone, removing: [], totals: [] },
    );
    const removed: PrunableFile[] = [];
    for (let at = 0; at < files.length; at += pruneBatchMax) {
      const batch = files.slice(at, at + pruneBatchMax);
      saved = await countBatch(stateFolder, batch, saved);
      removed.push(...batch.filter(({ path }) => remove(path)));
      saved = finishRemoval(stateFolder, saved);
    }
    for (const day of new Set(files.map(({ path }) => dirname(path)))) removeEmpty(day);
    return { removed, failed: files.length - removed.length };
  } finally {
    closeSync(lock);
  }
}

async function countBatch(
  stateFolder: string,
  batch: readonly PrunableFile[],
  saved: SavedTotals,
): Promise<SavedTotals> {
  const records = batch.filter(({ kind }) => kind === "records");
  if (records.length === 0) return saved;
  const totals = mergeTotals([...saved.totals, ...(await totalsIn(records, saved.zone))]);
  if (totals.length > totalRowsMax)
    throw new UserError(sentences.totalsFull(totalsPath(stateFolder)));
  const removing = records.map(({ path }) => relative(stateFolder, path));
  const next = { ...saved, totals, removing };
  writeTotals(stateFolder, next);
  return next;
}

async function totalsIn(
  files: readonly PrunableFile[],
  zone: string,
): Promise<readonly DayTotal[]> {
  const cube = new Cube({ ranges: allTime, zone: new TimeZone(zone) });
  for (const { path } of files) await readRecords(path, (record) => cube.add(record));
  return dayTotals(cube.facts());
}

/** Removes the files that the totals name as being removed: an earlier process may have been killed before it did. */
function finishRemoval(stateFolder: string, saved: SavedTotals): SavedTotals {
  if (saved.removing.length === 0) return saved;
  const left = saved.removing.filter((name) => !remove(join(stateFolder, name)));
  const next = { ...saved, removing: left };
  writeTotals(stateFolder, next);
  return next;
}

/** True when there is no such file any more. */
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

/** One process at a time: two would write the same totals. */
function lockPrune(stateFolder: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  const path = join(stateFolder, "prune.lock");
  let fd: number;
  try {
    fd = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (error) {
    throw new UserError(sentences.totalsUnwritable(path, errorCode(error)));
  }
  if (takeAlone(fd)) return fd;
  closeSync(fd);
  throw new UserError(sentences.pruneBusy(path));
}
