import type { Lock } from "./lock.ts";

/**
 * A fresh lock with the answers that the old one recorded. Answers in the tokens of another estimator are
 * dropped.
 */
export function keepAnswers(fresh: Lock, old: Lock | undefined): Lock {
  if (!old?.answers || old.estimator !== fresh.estimator) return fresh;
  return { ...fresh, answers: old.answers };
}
