import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { type DriftContext, findDrifts, findListDrifts } from "./drift/find-drifts.ts";
import { findLockEdit, diffLocks, type LockDiff } from "./drift/lock-diff.ts";
import type { Lock } from "./lock.ts";
import { failsOn, type FailOn, type Drift, type Severity } from "./drift/severity-rules.ts";
import { findExceededLimits, type LimitExcess, type LockLimits } from "./lock-limits.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { isEqual } from "#wire/json.ts";

export type LockReport = LockComparison & {
  readonly schema_version: "1.0";
  readonly server: Pick<Lock["server"], "name" | "version">;
  readonly lock_file: string;
  readonly lock_version: Lock["lock_version"] | null;
  readonly lock_written: boolean;
  /** With --dry-run only. */
  readonly would_write?: boolean;
  readonly estimator: string;
  readonly failed: boolean;
  readonly fail_on: FailOn;
  readonly over_limit: readonly LimitExcess[];
  readonly base?: BaseReport;
};

// Drift from the base never fails the check. Growth since the base can, with --max-increase.
export type BaseReport = LockComparison & {
  readonly name: string;
  readonly has_lock: boolean;
  readonly lock_version: Lock["lock_version"] | null;
};

export type BaseLock = { readonly name: string; readonly lock: Lock | undefined };

export type LockContext = {
  readonly lockFile: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
  readonly thresholds: RiskThresholds;
  readonly invalidEntryCount?: number | undefined;
  readonly base?: BaseLock | undefined;
  // Recounts a lock from its definitions, to find values that were edited or that another version of mcp-meter wrote.
  readonly derive?: (lock: Lock) => Lock;
};

export function judgeLock(
  written: Lock | undefined,
  current: Lock,
  context: LockContext,
): LockReport {
  const { base, limits, failOn, thresholds, invalidEntryCount, derive } = context;
  const derived = written && derive?.(written);
  const locked = derived ?? written;
  const overLimit = findExceededLimits(base ? base.lock : locked, current, limits);
  const rules = {
    thresholds,
    isGrowthLimited: limits.maxIncrease !== undefined,
    invalidEntryCount,
  };
  const edit = written && derived && findLockEdit(written, derived);
  const comparison = compareLocks(locked, current, { ...rules, edit });
  const { severity } = comparison;
  const isTooSevere = severity !== null && failsOn(failOn, severity);
  return {
    schema_version: "1.0",
    server: { name: current.server.name, version: current.server.version },
    lock_file: context.lockFile,
    lock_version: locked?.lock_version ?? null,
    lock_written: false,
    estimator: current.estimator,
    failed: isTooSevere || overLimit.length > 0,
    fail_on: failOn,
    ...comparison,
    over_limit: overLimit,
    ...(base ? { base: reportBase(base, current, rules) } : {}),
  };
}

function reportBase({ name, lock }: BaseLock, current: Lock, rules: DriftContext): BaseReport {
  const version = lock?.lock_version ?? null;
  const comparison = compareLocks(lock, current, rules);
  return { name, has_lock: lock !== undefined, lock_version: version, ...comparison };
}

export type BaseName = { readonly name: string; readonly isFile: boolean };

export type LockComparison = {
  readonly severity: Severity | null;
  readonly total_tokens: { readonly before: number | null; readonly after: number };
  readonly tools: { readonly before: number | null; readonly after: number };
  readonly costs: readonly CostChange[];
  readonly drifts: readonly Drift[];
  readonly diffs: readonly LockDiff[];
};

/** `before` is null for a new tool or new instructions, `after` for a removed tool or removed instructions. */
export type CostChange = {
  /** Null for the instructions. */
  readonly tool: string | null;
  readonly before: number | null;
  readonly after: number | null;
};

export function compareLocks(
  before: Lock | undefined,
  current: Lock,
  context: DriftContext,
): LockComparison {
  // Without a lock, only flaws of the list itself are found, such as a tool listed twice.
  const drifts = before ? findDrifts(before, current, context) : findListDrifts(current, context);
  return {
    severity: drifts[0]?.severity ?? null,
    total_tokens: { before: before?.total_tokens ?? null, after: current.total_tokens },
    tools: { before: before?.tools.length ?? null, after: current.tools.length },
    costs: before ? findCosts(before, current) : [],
    drifts,
    diffs: before ? diffLocks(before, current) : [],
  };
}

function findCosts(before: Lock, current: Lock): CostChange[] {
  const [earlier, later] = [groupByName(before), groupByName(current)];
  const names = new Set([...earlier.keys(), ...later.keys()]);
  const changes = [...names].flatMap((tool): CostChange[] => {
    const [from, to] = [earlier.get(tool), later.get(tool)];
    if (from?.hashes === to?.hashes) return [];
    return [{ tool, before: from?.tokens ?? null, after: to?.tokens ?? null }];
  });
  return [...changes, ...compareInstructions(before, current)].toSorted(
    (a, b) => measureChange(b) - measureChange(a),
  );
}

function groupByName({
  tools,
}: Lock): Map<string, { readonly tokens: number; readonly hashes: string }> {
  const groups = [...Map.groupBy(tools, ({ name }) => name)];
  return new Map(
    groups.map(([name, sameName]) => [
      name,
      {
        tokens: sameName.reduce((sum, { tokens }) => sum + tokens.total, 0),
        hashes: sameName.map(({ sha256 }) => sha256).join(" "),
      },
    ]),
  );
}

function compareInstructions(before: Lock, current: Lock): CostChange[] {
  const [from, to] = [before.instructions, current.instructions];
  if (from.sha256 === to.sha256) return [];
  return [{ tool: null, before: countInstructions(from), after: countInstructions(to) }];
}

function countInstructions({ sha256, tokens }: Lock["instructions"]): number | null {
  return sha256 === null ? null : tokens;
}

function measureChange({ before, after }: CostChange): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}

/** An empty list is more likely a fault than a removal. */
export function rejectEmptyList(tools: readonly unknown[], locked: Lock | undefined): void {
  if (tools.length > 0) return;
  const lost = locked?.tools.length ?? 0;
  const reason =
    lost > 0 ? lockReportSentences.listEmpty(lost) : lockReportSentences.listWithoutTools();
  throw new UserError(reason, exitCodes.serverUnreachable);
}

export function rejectOtherEstimator(
  file: string,
  locked: Lock | undefined,
  current: Lock,
  isRewrite = false,
): void {
  if (!locked || locked.estimator === current.estimator) return;
  const { cannotReplaceEstimator, estimatorDiffers } = lockReportSentences;
  const explain = isRewrite ? cannotReplaceEstimator : estimatorDiffers;
  throw new UserError(explain(file, locked.estimator, current.estimator));
}

// Needed because `judgeLock` does not compare the lock's thresholds with those of this run.
export function rejectOtherThresholds(file: string, locked: Lock | undefined, current: Lock): void {
  if (!locked || isEqual(locked.risk_thresholds, current.risk_thresholds)) return;
  const [written, actual] = [locked, current].map((lock) => lock.risk_thresholds.join(","));
  throw new UserError(lockReportSentences.thresholdsDiffer(file, written ?? "", actual ?? ""));
}

// A limit for a tool that is not listed would limit nothing.
export function rejectUnlistedTools({ maxTokensByTool }: LockLimits, { tools }: Lock): void {
  const names = tools.map(({ name }) => name);
  const missing = [...(maxTokensByTool?.keys() ?? [])].find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new UserError(lockReportSentences.limitUnmatched(missing, findNearestName(missing, names)));
}

export function rejectUnmeasuredGrowth(
  file: string,
  locked: Lock | undefined,
  { limits, base }: { readonly limits: LockLimits; readonly base?: BaseLock | undefined },
): void {
  const earlier = base ? base.lock : locked;
  if (limits.maxIncrease === undefined || earlier) return;
  throw new UserError(
    base
      ? lockReportSentences.growthUnmeasuredFromBase(file, base.name)
      : lockReportSentences.growthUnmeasured(file),
  );
}

export const lockReportSentences = {
  growthUnmeasured: (file: string) =>
    `Cannot check --max-increase: there is no lock "${file}" counted with this tokenizer; omit the option until the lock is written`,
  growthUnmeasuredFromBase: (file: string, base: string) =>
    `Cannot check --max-increase: "${base}" has no lock "${file}"; if the lock was moved, pass its earlier version with --base FILE; if this is the first lock, omit --max-increase`,
  limitUnmatched: (tool: string, nearest: string | undefined) =>
    `Cannot limit "${tool}" with --max-tool: the server does not list this tool${nearest === undefined ? "" : ` (did you mean "${nearest}"?)`}`,
  cannotReplaceEstimator: (file: string, locked: string, current: string) =>
    `Cannot write the lock "${file}": it was counted with ${locked}, but this run uses ${current}; pass --tokenizer ${locked}, or --force to replace it`,
  estimatorDiffers: (file: string, locked: string, current: string) =>
    `Cannot compare with the lock "${file}": it was counted with ${locked}, but this run uses ${current}; pass --tokenizer ${locked}`,
  thresholdsDiffer: (file: string, locked: string, current: string) =>
    `Cannot compare with the lock "${file}": its risk thresholds are ${locked}, but this run uses ${current}; pass --risk ${locked}, or rewrite the lock`,
  listWithoutTools: () => `The server lists no tools, so there is nothing to lock or compare`,
  listEmpty: (tools: number) =>
    `Cannot compare with the lock: the server lists no tools, but the lock has ${tools}; an empty list does not count as a removal`,
} as const;
