import type { Action } from "#budgets/action.ts";

/** Refuses: an error that says what it cost, what the limit is and what to do. */
export const error: Action = {
  id: "error",
  isEnforcing: true,
  holdsAnswers: true,
  waits: false,
  reduces: false,
  result: () => ({ kind: "refuse" }),
};
