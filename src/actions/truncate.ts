import type { Action, Excess, ResultAnswer } from "#budgets/action.ts";
import { fitResult } from "./fit-result.ts";

/** Cuts text so that the answer fits, and says at its end what is missing. */
export const truncate: Action = {
  id: "truncate",
  isEnforcing: true,
  holdsAnswers: true,
  waits: false,
  reduces: true,
  result(excess: Excess): ResultAnswer {
    const result = fitResult(
      excess,
      (kept, all) =>
        `[mcp-meter: cut after ${kept} of ${all} characters to fit the budget ${excess.spec}; ask for less to see the rest]`,
    );
    return result === undefined ? { kind: "refuse" } : { kind: "replace", result };
  },
};
