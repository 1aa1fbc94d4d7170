import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { refuseEmptyList, refuseEstimatorChange, refuseOtherEstimator } from "#lock/comparable.ts";
import type { Lock } from "#lock/lock.ts";
import { judgeLock, type LockReport } from "#lock/lock-report.ts";
import { lockServer } from "#lock/lock-server.ts";
import { keepAnswers } from "#lock/recorded-answers.ts";
import { visitServer } from "#mcp-client/visit.ts";
import { mayColor } from "#os/output.ts";
import { lockDocument } from "#renderers/documents/lock.ts";
import { render } from "#renderers/index.ts";
import { readLockFile, writeLockFile } from "#storage/lock-file.ts";
import { serverListing } from "../server-listing.ts";
import { lockTerms, profileTerms } from "../terms.ts";
import { countAsLocked } from "./as-locked.ts";
import type { LockOptions } from "./options.ts";

/** Writes the lock of a server, or compares the server with its lock. */
export async function lock(given: LockOptions, io: Io): Promise<Ending> {
  const locked = readLockFile(given.file);
  if (given.isCheck && !locked) throw new UserError(sentences.lockMissing(given.file));
  const options = given.isCheck ? countAsLocked(given, locked) : given;
  const visited = await visitServer({ ...options, work: async () => undefined }, io);
  if ("interrupted" in visited) return visited.interrupted;
  const listing = serverListing(visited.visit);
  refuseEmptyList(listing.tools, locked);
  const now = lockServer(listing, profileTerms(options));
  const report = options.isCheck
    ? compareWithLock(locked, now, options)
    : updateLock(locked, now, options);
  const printout = { document: lockDocument(report, !options.isCheck), data: report };
  io.stdout.write(render(options.format, printout, { color: mayColor(io.stdout, io.env) }));
  return { code: report.failed ? exitCodes.failed : exitCodes.ok };
}

function compareWithLock(locked: Lock | undefined, now: Lock, options: LockOptions): LockReport {
  refuseOtherEstimator(options.file, locked, now);
  return judgeLock(locked, now, lockTerms(options));
}

/** Writes the lock unless a limit is exceeded. With `--force` a lock of another estimator is replaced without comparison. */
function updateLock(locked: Lock | undefined, now: Lock, options: LockOptions): LockReport {
  if (!options.isForced) refuseEstimatorChange(options.file, locked, now);
  const comparable = locked?.estimator === now.estimator ? locked : undefined;
  const report = judgeLock(comparable, now, lockTerms(options));
  const failed = report.over_limit.length > 0;
  const isWritten = !failed && writeLockFile(options.file, keepAnswers(now, locked));
  return { ...report, failed, lock_written: isWritten };
}
