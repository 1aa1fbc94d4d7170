import type { Action } from "#budgets/action.ts";

/** Refuses the call, with an error that names its cost, the limit and a way to stay within it. */
export const error: Action = {
  id: "error",
  isEnforcing: true,
  holdsAnswers: true,
  waits: false,
  reduces: false,
  result: () => ({ kind: "refuse" }),
};
