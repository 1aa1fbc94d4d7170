import type { Action } from "#budgets/action.ts";
import { actionRules } from "./rules.ts";

export const error: Action = {
  id: "error",
  ...actionRules.error,
  result: () => ({ kind: "refuse" }),
};
