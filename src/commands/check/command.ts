import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { judgeCalls } from "#check/judge-calls.ts";
import { recordAnswers } from "#check/record-answers.ts";
import { reportCheck } from "#check/report.ts";
import { refuseEmptyList, refuseOtherEstimator } from "#lock/comparable.ts";
import type { Lock } from "#lock/lock.ts";
import { judgeLock } from "#lock/lock-report.ts";
import { lockServer } from "#lock/lock-server.ts";
import { sha256 } from "#os/sha256.ts";
import { readLockFile, writeLockFile } from "#storage/lock-file.ts";
import { countAsLocked } from "../lock/as-locked.ts";
import { lockTerms, profileTerms } from "../terms.ts";
import type { CheckOptions } from "./options.ts";
import { playCalls } from "./play-calls.ts";
import { refuseUnusedBudgets } from "./unused-budgets.ts";
import { printReport } from "./print-report.ts";
import { readPlan } from "./read-plan.ts";

/** Checks a server for CI: its lock, limits on its definitions, and the calls of a file. */
export async function check(given: CheckOptions, io: Io): Promise<Ending> {
  const startedAt = new Date();
  const locked = findLock(given);
  const options = countAsLocked(given, locked);
  const plan = options.callsFile === undefined ? [] : readPlan(options.callsFile);
  const played = await playCalls(plan, options, io);
  if ("interrupted" in played) return played.interrupted;
  const { listing, attempts, records } = played;
  refuseEmptyList(listing.tools, locked);
  refuseUnusedBudgets(options, listing, plan);
  const now = lockServer(listing, profileTerms(options));
  refuseOtherEstimator(options.file, locked, now);
  const answers = options.isUpdate ? [] : (locked?.answers ?? []);
  const { growth, budgets, callsFile = null } = options;
  const calls = judgeCalls(attempts, { records, answers, growth, hash: sha256 });
  const definitions = judgeLock(locked, now, lockTerms(options));
  const isLocked = locked !== undefined;
  const report = reportCheck({ definitions, isLocked, callsFile, calls, budgets });
  if (options.isUpdate && !report.failed) {
    const recorded = recordAnswers(plan, calls, sha256);
    writeLockFile(options.file, { ...(locked ?? now), answers: recorded });
  }
  printReport(report, { reports: options.reports, startedAt }, io);
  return { code: report.failed ? exitCodes.failed : exitCodes.ok };
}

/**
 * The lock to compare with; undefined with `--no-lock`, and for `--update`, which writes a missing one. Throws
 * UserError when it is missing: a deleted lock must not pass.
 */
function findLock({ file, isUpdate, isWithoutLock }: CheckOptions): Lock | undefined {
  if (isWithoutLock) return undefined;
  const locked = readLockFile(file);
  if (!locked && !isUpdate) throw new UserError(sentences.lockMissingInCheck(file));
  return locked;
}
