import type { Lock } from "./lock.ts";

/** Answers counted by another estimator are dropped. */
export function keepAnswers(fresh: Lock, old: Lock | undefined): Lock {
  if (!old?.answers || old.estimator !== fresh.estimator) return fresh;
  return { ...fresh, answers: old.answers };
}

export function countDroppedAnswers(
  old: Pick<Lock, "answers"> | undefined,
  next: Pick<Lock, "answers">,
): number {
  const kept = new Set(next.answers?.map(({ key }) => key));
  return old?.answers?.filter(({ key }) => !kept.has(key)).length ?? 0;
}
