import type { Action } from "#budgets/action.ts";

/** Records the breach and lets the call pass. */
export const warn: Action = {
  id: "warn",
  isEnforcing: false,
  holdsAnswers: false,
  waits: false,
  reduces: false,
  result: () => ({ kind: "pass" }),
};
