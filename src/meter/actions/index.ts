import type { Action } from "../budgets/decision.ts";
import { type ActionId, actionRules } from "./action-rules.ts";
import { spill } from "./spill.ts";
import { throttle } from "./throttle.ts";
import { truncate } from "./truncate.ts";

export const actions: { readonly [id: string]: Action } = {
  error: { id: "error", ...actionRules.error, handleExcess: () => ({ kind: "refuse" }) },
  warn: { id: "warn", ...actionRules.warn, handleExcess: () => ({ kind: "pass" }) },
  truncate,
  spill,
  throttle,
} satisfies { readonly [id in ActionId]: Action };
