import type { RiskThresholds } from "#cost/risk.ts";
import type { Drift } from "./drift.ts";
import { diffLocks, type ToolDiff } from "./drift/lock-diff.ts";
import { findDrifts } from "./find-drifts.ts";
import { findExcess, type LimitExcess, type LockLimits } from "./lock-limits.ts";
import type { Lock } from "./lock.ts";
import { failsOn, type FailOn, type Severity } from "./severity.ts";

/** A server compared with its lock; renderers print it as it is. */
export type LockReport = {
  readonly schema_version: "1.0";
  readonly server: Lock["server"];
  readonly lock_file: string;
  /** Version of the lock that was compared; null without one. */
  readonly lock_version: Lock["lock_version"] | null;
  /** True when this run wrote the lock. */
  readonly lock_written: boolean;
  readonly estimator: string;
  readonly failed: boolean;
  readonly fail_on: FailOn;
  /** Of the worst drift; null without drift. */
  readonly severity: Severity | null;
  /** Tokens of all definitions; before is null without a lock. */
  readonly total_tokens: { readonly before: number | null; readonly after: number };
  readonly tools: { readonly before: number | null; readonly after: number };
  readonly drifts: readonly Drift[];
  /** The changed definitions, line by line. */
  readonly diffs: readonly ToolDiff[];
  readonly over_limit: readonly LimitExcess[];
};

/** The rules of a comparison with a lock. */
export type LockTerms = {
  /** The lock's file, for the report. */
  readonly lockFile: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
  readonly thresholds: RiskThresholds;
};

/** Compares a server with its lock and judges the result. Without a lock only the limits apply. */
export function judgeLock(locked: Lock | undefined, now: Lock, terms: LockTerms): LockReport {
  const overLimit = findExcess(locked, now, terms.limits);
  const isOverLimit = overLimit.length > 0;
  const drifts = driftsFrom(locked, now, terms);
  const [worst] = drifts;
  const isTooSevere = worst !== undefined && failsOn(terms.failOn, worst.severity);
  return {
    schema_version: "1.0",
    server: now.server,
    lock_file: terms.lockFile,
    lock_version: locked?.lock_version ?? null,
    lock_written: false,
    estimator: now.estimator,
    failed: isTooSevere || isOverLimit,
    fail_on: terms.failOn,
    severity: worst?.severity ?? null,
    total_tokens: { before: locked?.total_tokens ?? null, after: now.total_tokens },
    tools: { before: locked?.tools.length ?? null, after: now.tools.length },
    drifts,
    diffs: diffsFrom(locked, now),
    over_limit: overLimit,
  };
}

function diffsFrom(locked: Lock | undefined, now: Lock): ToolDiff[] {
  return locked ? diffLocks(locked, now) : [];
}

function driftsFrom(
  locked: Lock | undefined,
  now: Lock,
  { thresholds, limits }: LockTerms,
): Drift[] {
  if (!locked) return [];
  return findDrifts(locked, now, { thresholds, isGrowthLimited: limits.maxIncrease !== undefined });
}
