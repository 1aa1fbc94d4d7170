import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Lock } from "./lock.ts";

/**
 * Refuses a server that lists no tools while its lock has some: an empty list is more likely a fault than a
 * removal. Throws UserError with exit code 3.
 */
export function refuseEmptyList(tools: readonly unknown[], locked: Lock | undefined): void {
  const lost = tools.length === 0 ? (locked?.tools.length ?? 0) : 0;
  if (lost > 0) throw new UserError(sentences.listEmpty(lost), exitCodes.serverUnreachable);
}

/** Refuses to compare tokens of two estimators. Throws UserError that names the lock's `file`. */
export function refuseOtherEstimator(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || locked.estimator === now.estimator) return;
  throw new UserError(sentences.lockEstimator(file, locked.estimator, now.estimator));
}
