import type { Action, Excess, ResultAnswer } from "#meter/action.ts";
import { compactJson } from "#wire/json.ts";
import { fitResult } from "./fit-result.ts";

/** Keeps the whole result in a file; the model gets a head that fits, and the path. */
export const spill: Action = {
  id: "spill",
  isEnforcing: true,
  holdsAnswers: true,
  waits: false,
  reduces: true,
  request: () => "refuse",
  result(excess: Excess): ResultAnswer {
    if (excess.result === undefined) return { kind: "refuse" };
    const path = excess.keep(compactJson(excess.result));
    if (path === undefined) return { kind: "refuse" };
    const result = fitResult(
      excess,
      (kept, all) =>
        `[mcp-meter: ${kept} of ${all} characters to fit the budget ${excess.spec}; the whole result is in ${path}]`,
    );
    return result === undefined ? { kind: "refuse" } : { kind: "replace", result };
  },
};
