import type { Action, Excess, ResultAnswer } from "#budgets/action.ts";
import { compactJson } from "#wire/json.ts";
import { fitResult, type Marker } from "./fit-result.ts";

/** Keeps the whole result in a file; the model gets a head that fits, and the path. */
export const spill: Action = {
  id: "spill",
  isEnforcing: true,
  holdsAnswers: true,
  waits: false,
  reduces: true,
  result(excess: Excess): ResultAnswer {
    if (excess.result === undefined) return { kind: "refuse" };
    // A file that the model is not told of would be kept for nobody: a path of any length must fit first.
    if (fitResult(excess, markerFor(excess, longPath)) === undefined) return { kind: "refuse" };
    const path = excess.keep(compactJson(excess.result));
    if (path === undefined) return { kind: "refuse" };
    const result = fitResult(excess, markerFor(excess, path));
    return result === undefined ? { kind: "refuse" } : { kind: "replace", result };
  },
};

/** Longer than the paths of most state directories. */
const longPath = "/".padEnd(160, "long-path/");

function markerFor({ spec }: Excess, path: string): Marker {
  return (kept, all) =>
    `[mcp-meter: ${kept} of ${all} characters to fit the budget ${spec}; the whole result is in ${path}]`;
}
