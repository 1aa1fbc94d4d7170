import type { Action } from "#budgets/action.ts";

/** Delays requests until the counter is reset; answers always pass. */
export const throttle: Action = {
  id: "throttle",
  isEnforcing: true,
  holdsAnswers: false,
  waits: true,
  reduces: false,
  result: () => ({ kind: "pass" }),
};
