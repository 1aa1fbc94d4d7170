import type { Action } from "#budgets/action.ts";
import { actionRules } from "./rules.ts";

/** Records the breach and lets the call pass. */
export const warn: Action = {
  id: "warn",
  ...actionRules.warn,
  result: () => ({ kind: "pass" }),
};
