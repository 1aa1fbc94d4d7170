import type { Action } from "#budgets/action.ts";

/** Tells in the records and lets everything pass. */
export const warn: Action = {
  id: "warn",
  isEnforcing: false,
  holdsAnswers: false,
  waits: false,
  reduces: false,
  result: () => ({ kind: "pass" }),
};
