import { UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { rejectUnmatchedBudgets } from "#check/judge-largest-answers.ts";
import { judgeCalls, type JudgedCall, collectAnswers } from "#check/judge-calls.ts";
import { findSchemaProblems } from "#check/output-schema-problems.ts";
import { type Plan, planCalls, type PlannedCall, makeAnswerKey } from "#check/plan-calls.ts";
import {
  createRedactor,
  createDefinitionRedactor,
  holdsSecret,
  judgeLockRedacted,
} from "#check/redact-known-values.ts";
import { reportCheck, type Problem } from "#check/report.ts";
import { findListFaultProblems, findListChangeProblems } from "#check/list-changes-and-faults.ts";
import {
  rejectEmptyList,
  rejectOtherEstimator,
  rejectOtherThresholds,
  rejectUnlistedTools,
  rejectUnmeasuredGrowth,
} from "#lock/lock-report.ts";
import {
  type Lock,
  type LockedAnswer,
  countDroppedAnswers,
  deriveLock,
  lockServer,
} from "#lock/lock.ts";
import { sha256 } from "#kit/os/hash.ts";
import { buildCheckPrintout } from "#screens/renderers/render-check.ts";
import { writeLockFile } from "#state/storage/lock-file.ts";
import { Teller } from "#kit/text/teller.ts";
import {
  useLockedEstimator,
  findLocks,
  recountBase,
  type FoundLocks,
  type LockNeed,
  indexToolLines,
} from "../lock/find-lock.ts";
import { openBudgetPrices } from "../price-options.ts";
import { runReportedCheck, type CheckResult } from "../run-reported-check.ts";
import { makeProfileContext } from "../reader-chooser.ts";
import { resolveServer, type ServerOptions } from "../connection-options.ts";
import { playCalls, type PlayedVisit } from "./play-calls.ts";
import { checkSentences, commandSentences } from "../sentences.ts";
import type { ServerListing } from "#lock/profile.ts";
import { readString } from "#wire/json.ts";
import { readCallsFile } from "#state/storage/calls-file.ts";
import { parseAmount, formatCount } from "#kit/text/numbers.ts";
import { limitsTool } from "#meter/budgets/accounts.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import { type ComparisonOptions, makeLockContext } from "../lock/options.ts";
import type { CheckOutput } from "../check-output-options.ts";
import type { Redactor } from "#kit/text/unsafe-text.ts";
import type { GrowthAllowance } from "#lock/lock-limits.ts";

export type CheckOptions = ServerOptions &
  ComparisonOptions &
  CheckOutput & {
    readonly callsFile: string | undefined;
    readonly budgets: readonly Budget[];
    readonly priceFile: string | undefined;
    readonly growth: GrowthAllowance;
    readonly isGrowthExplicit: boolean;
    readonly updatesAnswers: boolean;
    readonly isDryRun: boolean;
    readonly isWithoutLock: boolean;
  };

export async function check(requested: CheckOptions, io: Io): Promise<Ending> {
  const { reports, output, isWide, base, file: lockFile, callsFile = null } = requested;
  return runReportedCheck(
    async () =>
      runCheck(
        requested,
        await findLocks(requested, decideLockNeed(requested), checkSentences.lockMissingInCheck),
        io,
      ),
    { reports, output, isWide, hasVerdict: true, lockFile, callsFile, base },
    io,
  );
}

function decideLockNeed({ updatesAnswers, isWithoutLock }: CheckOptions): LockNeed {
  if (isWithoutLock) return "unused";
  return updatesAnswers ? "optional" : "required";
}

async function runCheck(
  requested: CheckOptions,
  { locked, base }: FoundLocks,
  io: Io,
): Promise<CheckResult> {
  const options = useLockedEstimator(requested, locked);
  const { target, secrets } = resolveServer(options, io.env);
  const filePlan = readPlan(options.callsFile, io.env);
  const plan = { ...filePlan, secrets: new Map([...secrets, ...filePlan.secrets]) };
  const prices = await openBudgetPrices(options);
  const played = await playCalls(plan, { ...options, target }, io);
  if ("interrupted" in played) return played;
  const { listing, attempts, records, failure } = played;
  rejectEmptyList(listing.tools, locked);
  rejectUnusedBudgets(options, listing, plan.calls);
  const context = makeProfileContext(options);
  const currentLock = lockServer(listing, context);
  rejectUnlistedTools(options.limits, currentLock);
  rejectOtherEstimator(options.file, locked, currentLock);
  rejectOtherThresholds(options.file, locked, currentLock);
  const answers = options.updatesAnswers ? [] : (locked?.answers ?? []);
  rejectGrowthWithoutAnswers(options, answers);
  const derive = (old: Lock): Lock => deriveLock(old, context);
  const lockContext = makeLockContext(options, recountBase(base, context));
  const rules = { ...lockContext, invalidEntryCount: listing.invalidEntryCount, derive };
  rejectUnmeasuredGrowth(options.file, locked, rules);
  const { growth, budgets, callsFile = null, file } = options;
  const calls = judgeCalls(attempts, { records, answers, growth, hash: sha256, prices });
  const redact = createDefinitionRedactor(plan.secrets);
  const definitions = judgeLockRedacted({ locked, current: currentLock }, rules, redact);
  const findToolLine = indexToolLines(locked ? file : undefined);
  const otherProblems = findOtherProblems(plan, played, answers);
  const judged = { definitions, callsFile, calls, budgets, findToolLine, otherProblems };
  const report = reportCheck({ ...judged, hasLock: locked !== undefined, prices });
  if (options.updatesAnswers && !options.isDryRun && !report.failed) {
    if (!locked) rejectSecrets(currentLock, file, { redact, headerSecrets: secrets });
    updateAnswers({ lock: locked ?? currentLock, file, calls, played }, io);
  }
  return { ...buildCheckPrintout(report), failure };
}

function rejectSecrets(
  lock: Lock,
  file: string,
  { redact, headerSecrets }: { redact: Redactor; headerSecrets: Plan["secrets"] },
): void {
  const redactHeaders = createDefinitionRedactor(headerSecrets);
  if (holdsSecret(lock, redactHeaders)) throw new UserError(commandSentences.lockHoldsHeader(file));
  if (holdsSecret(lock, redact)) throw new UserError(checkSentences.lockSecret(file));
}

function rejectGrowthWithoutAnswers(
  { isGrowthExplicit, updatesAnswers, file }: CheckOptions,
  answers: readonly LockedAnswer[],
): void {
  if (isGrowthExplicit && !updatesAnswers && answers.length === 0) {
    throw new UserError(checkSentences.growthWithoutAnswers(file));
  }
}

function findOtherProblems(
  plan: Plan,
  { listing, listsAfterCalls, rejections, listFaults }: PlayedVisit,
  answers: readonly LockedAnswer[],
): Problem[] {
  const redact = createRedactor(plan.secrets);
  const listProblems = listsAfterCalls && findListChangeProblems(listing, listsAfterCalls, redact);
  return [
    ...findListFaultProblems(listFaults, redact),
    ...findSchemaProblems(rejections, redact),
    ...(listProblems ?? []),
    ...findAnswerProblems(plan.calls, answers, sha256),
  ];
}

type AnswerUpdate = {
  readonly lock: Lock;
  readonly file: string;
  readonly calls: readonly JudgedCall[];
  readonly played: PlayedVisit;
};

function updateAnswers({ lock, file, calls, played }: AnswerUpdate, io: Pick<Io, "stderr">): void {
  const plannedCalls = played.attempts.map(({ planned }) => planned);
  const answers = collectAnswers(plannedCalls, calls, lock.answers, sha256);
  writeLockFile(file, { ...lock, answers });
  const { tell } = new Teller(io.stderr);
  tell(checkSentences.answersRecorded(answers.length, file));
  const dropped = countDroppedAnswers(lock, { answers });
  if (dropped > 0) tell(checkSentences.answersUnused(dropped, file));
}

// Throws UserError for a budget that limits no call: a check of nothing must not pass.
export function rejectUnusedBudgets(
  { budgets, callsFile = "" }: Pick<CheckOptions, "budgets" | "callsFile">,
  { tools }: Pick<ServerListing, "tools">,
  calls: readonly PlannedCall[],
): void {
  rejectUnmatchedBudgets(
    budgets,
    tools.map((tool) => readString(tool, "name") ?? ""),
  );
  for (const budget of budgets) {
    if (budget.tool === null) continue;
    if (!calls.some(({ tool, skip }) => skip === undefined && limitsTool(budget, tool))) {
      throw new UserError(checkSentences.budgetUnused(budget.spec, callsFile));
    }
  }
}

export const callsPlayedMax = 10_000;

const emptyPlan: Plan = { calls: [], secrets: new Map() };

export function readPlan(file: string | undefined, env: Io["env"]): Plan {
  if (file === undefined) return emptyPlan;
  const { value, findLine, makeError } = readCallsFile(file);
  const plan = planCalls(value, { parseTokens: parseAmount, env, findLine });
  if ("fault" in plan) throw makeError(plan.fault, plan.path, plan.part);
  const unskipped = plan.calls.filter(({ skip }) => skip === undefined);
  if (unskipped.length === 0) throw new UserError(checkSentences.callsSkipped(file));
  const callCount = unskipped.reduce((sum, { repeat }) => sum + repeat, 0);
  if (callCount > callsPlayedMax) {
    throw new UserError(checkSentences.callsTooMany(file, callCount, callsPlayedMax));
  }
  return plan;
}

export function findAnswerProblems(
  calls: readonly PlannedCall[],
  answers: readonly LockedAnswer[],
  hash: (text: string) => string,
): Problem[] {
  if (calls.length === 0 || answers.length === 0) return [];
  const keyedCalls = calls.map((planned) => ({ planned, key: makeAnswerKey(planned, hash) }));
  const plannedKeys = new Set(keyedCalls.map(({ key }) => key));
  const recorded = new Set(answers.map(({ key }) => key));
  const shared = { level: "warning", place: "answers" } as const;
  return [
    ...answers
      .filter(({ key }) => !plannedKeys.has(key))
      .map(({ tool, tokens }) => ({
        ...shared,
        rule: "answer_unused" as const,
        about: tool,
        text: `the lock has an answer of ${formatCount(tokens)} tokens from this tool, but the call is not in the calls file; record the answers again with --update`,
        line: null,
      })),
    ...keyedCalls
      .filter(({ planned, key }) => planned.skip === undefined && !recorded.has(key))
      .map(({ planned }) => ({
        ...shared,
        rule: "answer_missing" as const,
        about: planned.name,
        text: "the lock has no answer to this call, so the growth of the answer is not checked; record the answer with --update",
        line: planned.line,
      })),
  ];
}
