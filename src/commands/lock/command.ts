import { describeListFault } from "#check/list-changes-and-faults.ts";
import { reportCheck } from "#check/report.ts";
import { holdsSecret, judgeLockRedacted } from "#check/redact-known-values.ts";
import { UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import {
  rejectEmptyList,
  rejectOtherEstimator,
  rejectOtherThresholds,
  rejectUnlistedTools,
  rejectUnmeasuredGrowth,
  type LockReport,
  type LockContext,
} from "#lock/lock-report.ts";
import { type Lock, countDroppedAnswers, keepAnswers, deriveLock, lockServer } from "#lock/lock.ts";
import type { DriftKind } from "#lock/drift/severity-rules.ts";
import { findListFaults } from "#check/mcp-client/list-faults.ts";
import { buildLockPrintout } from "#screens/renderers/render-check.ts";
import { makeServerListing, type VisitedServer, visitForListing } from "#check/mcp-client/visit.ts";
import { clip } from "#kit/text/columns.ts";
import { type Redactor } from "#kit/text/unsafe-text.ts";
import { Teller } from "#kit/text/teller.ts";
import { isLockUpToDate, writeLockFile } from "#state/storage/lock-file.ts";
import { runReportedCheck, type CheckResult } from "../run-reported-check.ts";
import { makeProfileContext } from "../reader-chooser.ts";
import { resolveServer } from "../connection-options.ts";
import {
  useLockedEstimator,
  findLocks,
  recountBase,
  type FoundLocks,
  indexToolLines,
} from "./find-lock.ts";
import { type LockOptions, makeLockContext } from "./options.ts";
import { commandSentences, lockSentences } from "../sentences.ts";

export async function lock(requested: LockOptions, io: Io): Promise<Ending> {
  const { reports, output, isWide, isCheck, base, file: lockFile } = requested;
  const need = isCheck ? "required" : requested.isForced ? "replaceable" : "optional";
  return runReportedCheck(
    async () =>
      compareOrWriteLock(
        requested,
        await findLocks(requested, need, commandSentences.lockMissing),
        io,
      ),
    { reports, output, isWide, hasVerdict: isCheck, lockFile, callsFile: null, base },
    io,
  );
}

async function compareOrWriteLock(
  requested: LockOptions,
  { locked, base }: FoundLocks,
  io: Io,
): Promise<CheckResult> {
  const options = requested.isCheck ? useLockedEstimator(requested, locked) : requested;
  const { redact, visited } = await visitForListing(resolveServer(options, io.env), io);
  if ("interrupted" in visited) return visited;
  const listing = makeServerListing(visited.visit);
  rejectEmptyList(listing.tools, locked);
  const context = makeProfileContext(options);
  const current = lockServer(listing, context);
  rejectUnlistedTools(options.limits, current);
  const { invalidEntryCount } = listing;
  const derive = (old: Lock): Lock => deriveLock(old, context);
  const rules = {
    ...makeLockContext(options, recountBase(base, context)),
    invalidEntryCount,
    derive,
  };
  // Finds lines before the lock is written, because drift is reported at lines of the old lock.
  const findToolLine = indexToolLines(locked && options.file);
  const definitions = options.isCheck
    ? compareWithLock({ locked, current }, rules, redact)
    : updateLock({ locked, current }, rules, { ...options, redact }, io);
  if (!options.isCheck) {
    warnAboutFaults(definitions, io);
    // With --output, the report is not printed, so this sentence confirms the write.
    if (definitions.lock_written && options.output !== undefined)
      new Teller(io.stderr).tell(
        lockSentences.lockWritten(options.file, definitions.tools.after, options.output),
      );
  }
  warnAboutRejectedLists(visited.visit, redact, io);
  const hasLock = locked !== undefined;
  const noCalls = { callsFile: null, calls: [], budgets: [] };
  return buildLockPrintout(
    reportCheck({ definitions, hasLock, findToolLine, ...noCalls }),
    !options.isCheck,
  );
}

type Locks = { readonly locked: Lock | undefined; readonly current: Lock };

function compareWithLock(
  { locked, current }: Locks,
  context: LockContext,
  redact: Redactor,
): LockReport {
  rejectOtherEstimator(context.lockFile, locked, current);
  rejectOtherThresholds(context.lockFile, locked, current);
  rejectUnmeasuredGrowth(context.lockFile, locked, context);
  return judgeLockRedacted({ locked, current }, context, redact);
}

// If a tool is listed twice or a schema is rejected, every check fails.
function warnAboutFaults({ drifts }: LockReport, io: Pick<Io, "stderr">): void {
  const { tell } = new Teller(io.stderr);
  const warn = (kind: DriftKind, sentence: (tools: number, first: string) => string): void => {
    const names = drifts.flatMap((drift) => (drift.kind === kind ? [drift.tool ?? ""] : []));
    const [first] = names;
    if (first !== undefined) tell(sentence(names.length, clip(first)));
  };
  warn("tool_listed_twice", lockSentences.toolsListedTwice);
  warn("input_schema_rejected", lockSentences.schemasRejected);
}

// If clients reject a list, `check` fails, but `lock --check` does not, because a lock does not record the fault.
function warnAboutRejectedLists(
  { lists, server }: VisitedServer,
  redact: Redactor,
  io: Pick<Io, "stderr">,
): void {
  const allFaults = findListFaults(lists, server.era === "modern");
  const faults = allFaults.filter(
    ({ rule }) => rule !== "input_schema_rejected" && rule !== "entries_not_tools",
  );
  const [first] = faults;
  if (!first) return;
  const described = describeListFault(first, redact);
  new Teller(io.stderr).tell(lockSentences.listsRejected(faults.length, described));
}

function updateLock(
  { locked, current }: Locks,
  context: LockContext,
  { file, isForced, isDryRun, redact }: LockOptions & { readonly redact: Redactor },
  io: Pick<Io, "stderr">,
): LockReport {
  if (holdsSecret(current, redact)) throw new UserError(commandSentences.lockHoldsHeader(file));
  const isRewrite = true;
  if (!isForced) rejectOtherEstimator(file, locked, current, isRewrite);
  const comparable = locked?.estimator === current.estimator ? locked : undefined;
  rejectUnmeasuredGrowth(file, comparable, context);
  const report = judgeLockRedacted({ locked: comparable, current }, context, redact);
  const failed = report.over_limit.length > 0;
  const nextLock = keepAnswers(current, locked);
  if (isDryRun)
    return { ...report, failed, would_write: !failed && !isLockUpToDate(file, nextLock) };
  const isWritten = !failed && writeLockFile(file, nextLock);
  const dropped = isWritten ? countDroppedAnswers(locked, nextLock) : 0;
  if (dropped > 0) new Teller(io.stderr).tell(lockSentences.answersDropped(dropped, file));
  return { ...report, failed, lock_written: isWritten };
}
