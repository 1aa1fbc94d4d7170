import { UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { judgeCalls, type PlayedCall } from "#check/played-call.ts";
import { recordAnswers } from "#check/call-recorder.ts";
import { findSchemaProblems } from "#check/output-schema-problems.ts";
import { type Plan, planCalls } from "#check/plan-calls.ts";
import {
  createRedact,
  type Redact,
  createDefinitionRedact,
  holdsSecret,
  judgeLockRedacted,
} from "#check/redact.ts";
import { reportCheck, type Problem } from "#check/report.ts";
import { findListFaultProblems, findListProblems } from "#check/list-problems.ts";
import {
  refuseEmptyList,
  refuseOtherEstimator,
  refuseOtherThresholds,
  refuseUnlistedTools,
  refuseUnmeasuredGrowth,
} from "#lock/lock-report.ts";
import { type Lock, type LockedAnswer, countDroppedAnswers } from "#lock/lock.ts";
import { deriveLock, lockServer } from "#lock/lock-server.ts";
import { sha256 } from "#kit/os/sha256.ts";
import { buildCheckPrintout } from "#screens/renderers/check.ts";
import { writeLockFile } from "#state/storage/lock-file.ts";
import { Teller } from "#kit/text/teller.ts";
import {
  countAsLocked,
  findLocks,
  recountBase,
  type FoundLocks,
  type LockNeed,
  locateTools,
} from "../lock/find-lock.ts";
import { runReportedCheck, type CheckResult } from "../print-report.ts";
import { resolveServer, type ServerOptions } from "../server/server-options.ts";
import { makeLockTerms, makeProfileTerms } from "../reader.ts";
import { playCalls, type PlayedVisit } from "./play-calls.ts";
import { checkSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";
import { type PlannedCall, makeAnswerKey } from "#check/expectation.ts";
import type { ServerListing } from "#lock/profile.ts";
import { findNearestName, matchesWildcard } from "#kit/text/match-names.ts";
import { readString } from "#wire/json.ts";
import { budgetSentences } from "#meter/budgets/sentences.ts";
import { readCallsFile } from "#state/storage/calls-file.ts";
import { parseAmount, formatCount } from "#kit/text/numbers.ts";
import type { Budget } from "#meter/budgets/budget.ts";
import type { Growth } from "#lock/answer-limits.ts";
import type { ComparisonOptions } from "../lock/options.ts";
import type { CheckOutput } from "../report-targets.ts";

export type CheckOptions = ServerOptions &
  ComparisonOptions &
  CheckOutput & {
    readonly callsFile: string | undefined;
    readonly budgets: readonly Budget[];
    readonly growth: Growth;
    readonly isGrowthNamed: boolean;
    readonly isUpdate: boolean;
    readonly isWithoutLock: boolean;
  };

export async function check(requested: CheckOptions, io: Io): Promise<Ending> {
  const { reports, output, isWide, base, file: lockFile, callsFile = null } = requested;
  return runReportedCheck(
    async () =>
      makeCheck(
        requested,
        await findLocks(requested, decideLockNeed(requested), checkSentences.lockMissingInCheck),
        io,
      ),
    { reports, output, isWide, isVerdict: true, lockFile, callsFile, base },
    io,
  );
}

function decideLockNeed({ isUpdate, isWithoutLock }: CheckOptions): LockNeed {
  if (isWithoutLock) return "unused";
  return isUpdate ? "optional" : "required";
}

async function makeCheck(
  requested: CheckOptions,
  { locked, base }: FoundLocks,
  io: Io,
): Promise<CheckResult> {
  const options = countAsLocked(requested, locked);
  const { target, secrets } = resolveServer(options.server, io.env);
  const read = readPlan(options.callsFile, io.env);
  const plan = { ...read, secrets: new Map([...secrets, ...read.secrets]) };
  const played = await playCalls(plan, { ...options, target }, io);
  if ("interrupted" in played) return played;
  const { listing, attempts, records, failure } = played;
  refuseEmptyList(listing.tools, locked);
  refuseUnusedBudgets(options, listing, plan.calls);
  const terms = makeProfileTerms(options);
  const now = lockServer(listing, terms);
  refuseUnlistedTools(options.limits, now);
  refuseOtherEstimator(options.file, locked, now);
  refuseOtherThresholds(options.file, locked, now);
  const answers = options.isUpdate ? [] : (locked?.answers ?? []);
  refuseUnmeasuredAnswers(options, answers);
  const { notTools } = listing;
  const derive = (old: Lock): Lock => deriveLock(old, options.file, terms);
  const rules = { ...makeLockTerms(options, recountBase(base, terms)), notTools, derive };
  refuseUnmeasuredGrowth(options.file, locked, rules);
  const { growth, budgets, callsFile = null, file } = options;
  const calls = judgeCalls(attempts, { records, answers, growth, hash: sha256 });
  const redact = createDefinitionRedact(plan.secrets);
  const definitions = judgeLockRedacted({ locked, now }, rules, redact);
  const isLocked = locked !== undefined;
  const lineOfTool = locateTools(isLocked ? file : undefined);
  const others = findOtherProblems(plan, played, answers);
  const judged = { definitions, isLocked, callsFile, calls, budgets, lineOfTool, others };
  const report = reportCheck(judged);
  if (options.isUpdate && !report.failed) {
    if (!locked) refuseSecrets(now, file, { redact, headers: createDefinitionRedact(secrets) });
    updateAnswers({ lock: locked ?? now, file, calls, played }, io);
  }
  return { ...buildCheckPrintout(report), failure };
}

/** A new lock must not contain a value from the calls file or a header. Throws UserError. */
function refuseSecrets(
  lock: Lock,
  file: string,
  { redact, headers }: { readonly redact: Redact; readonly headers: Redact },
): void {
  if (holdsSecret(lock, headers)) throw new UserError(commandSentences.lockHoldsHeader(file));
  if (holdsSecret(lock, redact)) throw new UserError(checkSentences.lockSecret(file));
}

/** A growth limit set by the user needs recorded answers as its baseline. Throws UserError. */
function refuseUnmeasuredAnswers(
  { isGrowthNamed, isUpdate, file }: CheckOptions,
  answers: readonly LockedAnswer[],
): void {
  if (isGrowthNamed && !isUpdate && answers.length === 0) {
    throw new UserError(checkSentences.growthWithoutAnswers(file));
  }
}

function findOtherProblems(
  plan: Plan,
  { listing, later, rejections, listFaults }: PlayedVisit,
  answers: readonly LockedAnswer[],
): Problem[] {
  const redact = createRedact(plan.secrets);
  const listed = later && findListProblems(listing, later, redact);
  return [
    ...findListFaultProblems(listFaults, redact),
    ...findSchemaProblems(rejections, redact),
    ...(listed ?? []),
    ...findAnswerProblems(plan.calls, answers, sha256),
  ];
}

type AnswerUpdate = {
  readonly lock: Lock;
  readonly file: string;
  readonly calls: readonly PlayedCall[];
  readonly played: PlayedVisit;
};

function updateAnswers({ lock, file, calls, played }: AnswerUpdate, io: Pick<Io, "stderr">): void {
  const made = played.attempts.map(({ planned }) => planned);
  const answers = recordAnswers(made, calls, { before: lock.answers, hash: sha256 });
  writeLockFile(file, { ...lock, answers });
  const dropped = countDroppedAnswers(lock, { answers });
  if (dropped > 0) new Teller(io.stderr).tell(checkSentences.answersUnused(dropped, file));
}

/** A check that checks nothing must not pass. Throws UserError. */
export function refuseUnusedBudgets(
  { budgets, callsFile = "" }: Pick<CheckOptions, "budgets" | "callsFile">,
  { tools }: Pick<ServerListing, "tools">,
  plan: readonly PlannedCall[],
): void {
  const names = tools.map((tool) => readString(tool, "name") ?? "");
  for (const { tool: pattern, spec } of budgets) {
    if (pattern === null) continue;
    if (!names.some((name) => matchesWildcard(pattern, name))) {
      const nearest = findNearestName(pattern, names);
      throw new UserError(budgetSentences.budgetUnmatched(spec, names.length, nearest));
    }
    if (!plan.some(({ tool, skip }) => skip === undefined && matchesWildcard(pattern, tool))) {
      throw new UserError(checkSentences.budgetUnused(spec, callsFile));
    }
  }
}

export const callsPlayedMax = 10_000;

const noPlan: Plan = { calls: [], secrets: new Map() };

export function readPlan(file: string | undefined, env: Io["env"]): Plan {
  if (file === undefined) return noPlan;
  const { value, findLine: lineOf, mistake } = readCallsFile(file);
  const plan = planCalls(value, { parseTokens: parseAmount, env, findLine: lineOf });
  if ("fault" in plan) throw mistake(plan.fault, plan.path, plan.part);
  const made = plan.calls.filter(({ skip }) => skip === undefined);
  if (made.length === 0) throw new UserError(checkSentences.callsSkipped(file));
  const rounds = made.reduce((sum, { repeat }) => sum + repeat, 0);
  if (rounds > callsPlayedMax) {
    throw new UserError(checkSentences.callsTooMany(file, rounds, callsPlayedMax));
  }
  return plan;
}

/** Warns about recorded answers that no call uses, and calls without one, whose growth is not checked. Changed arguments cause both. */
export function findAnswerProblems(
  plan: readonly PlannedCall[],
  answers: readonly LockedAnswer[],
  hash: (text: string) => string,
): Problem[] {
  if (plan.length === 0 || answers.length === 0) return [];
  const keyed = plan.map((planned) => ({ planned, key: makeAnswerKey(planned, hash) }));
  const plannedKeys = new Set(keyed.map(({ key }) => key));
  const recorded = new Set(answers.map(({ key }) => key));
  const shared = { level: "warning", place: "answers" } as const;
  return [
    ...answers
      .filter(({ key }) => !plannedKeys.has(key))
      .map(({ tool, tokens }) => ({
        ...shared,
        rule: "answer_unused" as const,
        about: tool,
        text: `no call uses its recorded answer of ${formatCount(tokens)} tokens; record the answers again with --update`,
        line: null,
      })),
    ...keyed
      .filter(({ planned, key }) => planned.skip === undefined && !recorded.has(key))
      .map(({ planned }) => ({
        ...shared,
        rule: "answer_missing" as const,
        about: planned.name,
        text: "the lock has no recorded answer for it, so its growth is not checked; record one with --update",
        line: planned.line,
      })),
  ];
}
