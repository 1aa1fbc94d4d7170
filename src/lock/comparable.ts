import { exitCodes, UserError } from "#kit/errors.ts";
import { nearestName } from "#kit/text/nearest.ts";
import { isEqual } from "#wire/json-equal.ts";
import type { LockLimits } from "./lock-limits.ts";
import type { BaseLock } from "./lock-report.ts";
import type { Lock } from "./lock.ts";
import { lockSentences } from "./sentences.ts";

/** An empty list is more likely a fault than a removal. Throws UserError with exit code 3. */
export function refuseEmptyList(tools: readonly unknown[], locked: Lock | undefined): void {
  if (tools.length > 0) return;
  const lost = locked?.tools.length ?? 0;
  const reason = lost > 0 ? lockSentences.listEmpty(lost) : lockSentences.listWithoutTools();
  throw new UserError(reason, exitCodes.serverUnreachable);
}

/** Throws UserError: numbers of two estimators cannot be compared. */
export function refuseEstimatorChange(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || locked.estimator === now.estimator) return;
  throw new UserError(lockSentences.lockEstimatorKept(file, locked.estimator, now.estimator));
}

/** Throws UserError that names the lock's `file`. */
export function refuseOtherEstimator(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || locked.estimator === now.estimator) return;
  throw new UserError(lockSentences.lockEstimator(file, locked.estimator, now.estimator));
}

/** Throws UserError: no definition proves thresholds, and a lock could raise them. */
export function refuseOtherThresholds(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || isEqual(locked.risk_thresholds, now.risk_thresholds)) return;
  const [written, asked] = [locked, now].map((lock) => lock.risk_thresholds.join(","));
  throw new UserError(lockSentences.lockThresholds(file, written ?? "", asked ?? ""));
}

/** Throws UserError: a limit for a tool that is not there limits nothing. */
export function refuseUnlistedTools({ maxTokensByTool }: LockLimits, { tools }: Lock): void {
  const names = tools.map(({ name }) => name);
  const missing = [...(maxTokensByTool?.keys() ?? [])].find((name) => !names.includes(name));
  if (missing === undefined) return;
  throw new UserError(lockSentences.limitUnmatched(missing, nearestName(missing, names)));
}

/** Throws UserError for a growth limit with neither a lock nor a base to measure from. */
export function refuseUnmeasuredGrowth(
  file: string,
  locked: Lock | undefined,
  { limits, base }: { readonly limits: LockLimits; readonly base?: BaseLock | undefined },
): void {
  const earlier = base ? base.lock : locked;
  if (limits.maxIncrease === undefined || earlier) return;
  throw new UserError(
    base
      ? lockSentences.growthUnmeasuredFromBase(file, base.name)
      : lockSentences.growthUnmeasured(file),
  );
}
