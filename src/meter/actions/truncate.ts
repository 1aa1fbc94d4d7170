import type { Action, Excess, ExcessOutcome } from "../budgets/decision.ts";
import { fitResult } from "./fit-result.ts";
import { actionRules } from "./action-rules.ts";

export const truncate: Action = {
  id: "truncate",
  ...actionRules.truncate,
  handleExcess(excess: Excess): ExcessOutcome {
    const result = fitResult(
      excess,
      (shortening) =>
        `[mcp-meter: ${shortening} to fit the budget ${excess.spec}; narrow the request to get a complete answer]`,
    );
    return result === undefined ? { kind: "refuse" } : { kind: "replace", result };
  },
};
