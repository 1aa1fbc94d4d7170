import type { Action } from "../budgets/decision.ts";

// Separate from the actions' modules, so that commands can parse options without loading those modules.
export const actionRules = {
  error: { isEnforcing: true, holdsAnswers: true, waits: false, reduces: false, saves: false },
  warn: { isEnforcing: false, holdsAnswers: false, waits: false, reduces: false, saves: false },
  truncate: { isEnforcing: true, holdsAnswers: true, waits: false, reduces: true, saves: false },
  spill: { isEnforcing: true, holdsAnswers: true, waits: false, reduces: true, saves: true },
  throttle: { isEnforcing: true, holdsAnswers: false, waits: true, reduces: false, saves: false },
} as const satisfies { readonly [id: string]: Omit<Action, "id" | "handleExcess"> };

export type ActionId = keyof typeof actionRules;
