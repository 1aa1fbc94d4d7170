import type { LockedAnswer } from "#lock/lock.ts";
import { answerKey, type PlannedCall } from "./planned-call.ts";
import type { PlayedCall } from "./played-call.ts";

/**
 * The answers that a lock records: of each call its most expensive round, sorted by key. `calls` are the
 * rounds of `plan`, in order.
 */
export function recordAnswers(
  plan: readonly PlannedCall[],
  calls: readonly PlayedCall[],
  hash: (text: string) => string,
): LockedAnswer[] {
  const answers = new Map<string, LockedAnswer>();
  let at = 0;
  for (const planned of plan) {
    const key = answerKey(planned, hash);
    for (const { tokens } of calls.slice(at, at + planned.repeat)) {
      const isMost = tokens >= (answers.get(key)?.tokens ?? 0);
      if (isMost) answers.set(key, { key, tool: planned.tool, tokens });
    }
    at += planned.repeat;
  }
  return [...answers.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
