import type { LockedAnswer } from "#lock/lock.ts";
import { answerKey, type PlannedCall } from "./planned-call.ts";
import type { PlayedCall } from "./played-call.ts";

/** Of each call the most expensive round, sorted by key; a skipped call keeps its answer from `before`. `plan` has the call of each of `calls`. */
export function recordAnswers(
  plan: readonly PlannedCall[],
  calls: readonly PlayedCall[],
  terms: {
    readonly before: readonly LockedAnswer[] | undefined;
    readonly hash: (text: string) => string;
  },
): LockedAnswer[] {
  const locked = new Map(terms.before?.map((answer) => [answer.key, answer]));
  const answers = new Map<string, LockedAnswer>();
  for (const [at, { tool, tokens, skipped }] of calls.entries()) {
    const planned = plan[at];
    if (!planned) continue;
    const key = answerKey(planned, terms.hash);
    const answer = skipped === null ? { key, tool, tokens } : locked.get(key);
    if (answer && answer.tokens >= (answers.get(key)?.tokens ?? 0)) answers.set(key, answer);
  }
  return [...answers.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
