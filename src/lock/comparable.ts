import { exitCodes, sentences, UserError } from "#errors.ts";
import { isEqual } from "#wire/json-equal.ts";
import type { LockLimits } from "./lock-limits.ts";
import type { BaseLock } from "./lock-report.ts";
import type { Lock } from "./lock.ts";

/**
 * Refuses a server that lists no tools: an empty list is more likely a fault than a removal, and nothing to check
 * is not a success. Throws UserError with exit code 3.
 */
export function refuseEmptyList(tools: readonly unknown[], locked: Lock | undefined): void {
  if (tools.length > 0) return;
  const lost = locked?.tools.length ?? 0;
  const reason = lost > 0 ? sentences.listEmpty(lost) : sentences.listWithoutTools();
  throw new UserError(reason, exitCodes.serverUnreachable);
}

/** Refuses to replace a lock by one of another estimator: its numbers cannot be compared. Throws UserError. */
export function refuseEstimatorChange(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || locked.estimator === now.estimator) return;
  throw new UserError(sentences.lockEstimatorKept(file, locked.estimator, now.estimator));
}

/** Refuses to compare tokens of two estimators. Throws UserError that names the lock's `file`. */
export function refuseOtherEstimator(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || locked.estimator === now.estimator) return;
  throw new UserError(sentences.lockEstimator(file, locked.estimator, now.estimator));
}

/**
 * Refuses a lock of other thresholds than this run's: no definition proves them, and a lock could raise its own. Throws
 * UserError.
 */
export function refuseOtherThresholds(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || isEqual(locked.risk_thresholds, now.risk_thresholds)) return;
  const [written, asked] = [locked, now].map((lock) => lock.risk_thresholds.join(","));
  throw new UserError(sentences.lockThresholds(file, written ?? "", asked ?? ""));
}

/**
 * Refuses to limit growth where there is no lock to measure it from: such a limit would hold nothing. It is measured from the
 * base where one is named, whether or not there is a lock besides. Throws UserError.
 */
export function refuseUnmeasuredGrowth(
  file: string,
  locked: Lock | undefined,
  { limits, base }: { readonly limits: LockLimits; readonly base?: BaseLock | undefined },
): void {
  const earlier = base ? base.lock : locked;
  if (limits.maxIncrease === undefined || earlier) return;
  throw new UserError(
    base ? sentences.growthUnmeasuredFromBase(file, base.name) : sentences.growthUnmeasured(file),
  );
}
