import type { RiskThresholds } from "#cost/risk.ts";
import { compareLocks, type LockComparison } from "./lock-comparison.ts";
import type { DriftTerms } from "./find-drifts.ts";
import { findLockEdit } from "./drift/lock-edits.ts";
import { findExcess, type LimitExcess, type LockLimits } from "./lock-limits.ts";
import type { Lock } from "./lock.ts";
import { failsOn, type FailOn } from "./severity.ts";

/** A server compared with its lock; renderers print it as it is. */
export type LockReport = LockComparison & {
  readonly schema_version: "1.0";
  readonly server: Pick<Lock["server"], "name" | "version">;
  readonly lock_file: string;
  /** Version of the lock that was compared; null without one. */
  readonly lock_version: Lock["lock_version"] | null;
  /** True when this run wrote the lock. */
  readonly lock_written: boolean;
  readonly estimator: string;
  readonly failed: boolean;
  readonly fail_on: FailOn;
  readonly over_limit: readonly LimitExcess[];
  /** Absent when no base was named. */
  readonly base?: BaseReport;
};

/** A server compared with the lock of another revision, for its review: only growth is judged by it. */
export type BaseReport = LockComparison & {
  /** The file or the git revision, as the user named it. */
  readonly name: string;
  /** False when that revision has no lock. */
  readonly has_lock: boolean;
  /** Version of its lock; null without one. */
  readonly lock_version: Lock["lock_version"] | null;
};

/** The lock of a base; undefined when the revision has none. */
export type BaseLock = { readonly name: string; readonly lock: Lock | undefined };

/** The rules of a comparison with a lock. */
export type LockTerms = {
  /** The lock's file, for the report. */
  readonly lockFile: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
  readonly thresholds: RiskThresholds;
  /** Entries of the list of tools that are not tools; 0 when absent. */
  readonly notTools?: number | undefined;
  /** A second lock to compare with, which growth is measured from. */
  readonly base?: BaseLock | undefined;
  /** Derives a lock again from its own definitions; without it, its values are taken as they are written. */
  readonly derive?: (lock: Lock) => Lock;
};

/** Compares a server with its lock and judges the result. Without a lock only the limits apply. */
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
