import type { Action } from "#budgets/action.ts";

/** Makes requests wait until the counter is full again; an answer that is there is not held back. */
export const throttle: Action = {
  id: "throttle",
  isEnforcing: true,
  holdsAnswers: false,
  waits: true,
  reduces: false,
  result: () => ({ kind: "pass" }),
};
