import { exitCodes, sentences, UserError } from "#errors.ts";
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

/** Refuses to limit growth where there is no lock to measure it from: such a limit would hold nothing. Throws UserError. */
export function refuseUnmeasuredGrowth(
  file: string,
  locked: Lock | undefined,
  { limits, base }: { readonly limits: LockLimits; readonly base?: BaseLock | undefined },
): void {
  if (limits.maxIncrease === undefined || locked || base?.lock) return;
  throw new UserError(sentences.growthUnmeasured(file));
}
