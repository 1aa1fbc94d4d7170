import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { compareLocks, type LockComparison } from "./lock-comparison.ts";
import type { DriftTerms } from "./find-drifts.ts";
import { findLockEdit } from "./drift/lock-edits.ts";
import { findExcess, type LimitExcess, type LockLimits } from "./lock-limits.ts";
import type { Lock } from "./lock.ts";
import { failsOn, type FailOn } from "./severity.ts";

export type LockReport = LockComparison & {
  readonly schema_version: "1.0";
  readonly server: Pick<Lock["server"], "name" | "version">;
  readonly lock_file: string;
  /** Null without a lock. */
  readonly lock_version: Lock["lock_version"] | null;
  readonly lock_written: boolean;
  readonly estimator: string;
  readonly failed: boolean;
  readonly fail_on: FailOn;
  readonly over_limit: readonly LimitExcess[];
  readonly base?: BaseReport;
};

/** Judged by growth only. */
export type BaseReport = LockComparison & {
  readonly name: string;
  readonly has_lock: boolean;
  /** Null without a lock. */
  readonly lock_version: Lock["lock_version"] | null;
};

/** Undefined when the revision has no lock. */
export type BaseLock = { readonly name: string; readonly lock: Lock | undefined };

export type LockTerms = {
  readonly lockFile: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
  readonly thresholds: RiskThresholds;
  readonly notTools?: number | undefined;
  /** Growth is measured from it. */
  readonly base?: BaseLock | undefined;
  readonly derive?: (lock: Lock) => Lock;
};

export function judgeLock(written: Lock | undefined, now: Lock, terms: LockTerms): LockReport {
  const { base, limits, failOn, thresholds, notTools, derive } = terms;
  const derived = written && derive?.(written);
  const locked = derived ?? written;
  const overLimit = findExcess(base ? base.lock : locked, now, limits);
  const rules = { thresholds, isGrowthLimited: limits.maxIncrease !== undefined, notTools };
  const edit = written && derived && findLockEdit(written, derived);
  const comparison = compareLocks(locked, now, { ...rules, edit });
  const { severity } = comparison;
  const isTooSevere = severity !== null && failsOn(failOn, severity);
  return {
    schema_version: "1.0",
    server: { name: now.server.name, version: now.server.version },
    lock_file: terms.lockFile,
    lock_version: locked?.lock_version ?? null,
    lock_written: false,
    estimator: now.estimator,
    failed: isTooSevere || overLimit.length > 0,
    fail_on: failOn,
    ...comparison,
    over_limit: overLimit,
    ...(base ? { base: reportBase(base, now, rules) } : {}),
  };
}

function reportBase({ name, lock }: BaseLock, now: Lock, rules: DriftTerms): BaseReport {
  const version = lock?.lock_version ?? null;
  const comparison = compareLocks(lock, now, rules);
  return { name, has_lock: lock !== undefined, lock_version: version, ...comparison };
}
