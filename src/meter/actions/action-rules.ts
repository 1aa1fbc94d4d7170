import type { Action } from "../budgets/decision.ts";

// Separate from the actions, so that parsing options does not load them.
export const actionRules = {
  error: { isEnforcing: true, holdsAnswers: true, waits: false, reduces: false, saves: false },
  warn: { isEnforcing: false, holdsAnswers: false, waits: false, reduces: false, saves: false },
  truncate: { isEnforcing: true, holdsAnswers: true, waits: false, reduces: true, saves: false },
  spill: { isEnforcing: true, holdsAnswers: true, waits: false, reduces: true, saves: true },
  throttle: { isEnforcing: true, holdsAnswers: false, waits: true, reduces: false, saves: false },
} as const satisfies { readonly [id: string]: Omit<Action, "id" | "handleExcess"> };

export type ActionId = keyof typeof actionRules;
