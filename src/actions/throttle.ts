import type { Action } from "#budgets/action.ts";
import { actionRules } from "./rules.ts";

/** Delays requests until the counter is reset; answers always pass. */
export const throttle: Action = {
  id: "throttle",
  ...actionRules.throttle,
  result: () => ({ kind: "pass" }),
};
