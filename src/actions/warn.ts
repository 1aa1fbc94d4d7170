import type { Action } from "#budgets/action.ts";
import { actionRules } from "./rules.ts";

export const warn: Action = {
  id: "warn",
  ...actionRules.warn,
  result: () => ({ kind: "pass" }),
};
