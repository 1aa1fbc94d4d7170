import type { Lock } from "./lock.ts";

/**
 * A fresh lock with the answers that the old one recorded. Answers in the tokens of another estimator are
 * dropped.
 */
export function keepAnswers(fresh: Lock, old: Lock | undefined): Lock {
  if (!old?.answers || old.estimator !== fresh.estimator) return fresh;
  return { ...fresh, answers: old.answers };
}

/** The number of recorded answers that a lock has and the lock that replaces it has not. */
export function countDroppedAnswers(
  old: Pick<Lock, "answers"> | undefined,
  next: Pick<Lock, "answers">,
): number {
  const kept = new Set(next.answers?.map(({ key }) => key));
  return old?.answers?.filter(({ key }) => !kept.has(key)).length ?? 0;
}
