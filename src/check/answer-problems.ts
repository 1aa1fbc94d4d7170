import type { LockedAnswer } from "#lock/lock.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { answerKey, type PlannedCall } from "./expectation.ts";
import type { Problem } from "./report.ts";

/** Warns of recorded answers that no call uses, and of calls without one: their growth is not checked. A change of a call's arguments is both. */
export function findAnswerProblems(
  plan: readonly PlannedCall[],
  answers: readonly LockedAnswer[],
  hash: (text: string) => string,
): Problem[] {
  if (plan.length === 0 || answers.length === 0) return [];
  const keyed = plan.map((planned) => ({ planned, key: answerKey(planned, hash) }));
  const asked = new Set(keyed.map(({ key }) => key));
  const recorded = new Set(answers.map(({ key }) => key));
  const shared = { level: "warning", place: "answers" } as const;
  return [
    ...answers
      .filter(({ key }) => !asked.has(key))
      .map(({ tool, tokens }) => ({
        ...shared,
        rule: "answer_unused" as const,
        about: tool,
        text: `no call uses its recorded answer of ${formatCount(tokens)} tokens; record the answers again with --update`,
        line: null,
      })),
    ...keyed
      .filter(({ planned, key }) => planned.skip === undefined && !recorded.has(key))
      .map(({ planned }) => ({
        ...shared,
        rule: "answer_missing" as const,
        about: planned.name,
        text: "the lock has no recorded answer of it, so its growth is not checked; record it with --update",
        line: planned.line,
      })),
  ];
}
