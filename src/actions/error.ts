import type { Action } from "#budgets/action.ts";
import { actionRules } from "./rules.ts";

/** Refuses the call, with an error that names its cost, the limit and a way to stay within it. */
export const error: Action = {
  id: "error",
  ...actionRules.error,
  result: () => ({ kind: "refuse" }),
};
