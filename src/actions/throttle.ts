import type { Action } from "#budgets/action.ts";
import { actionRules } from "./rules.ts";

/** Answers always pass. */
export const throttle: Action = {
  id: "throttle",
  ...actionRules.throttle,
  result: () => ({ kind: "pass" }),
};
