import type { Action, Excess, ResultAnswer } from "#budgets/action.ts";
import { compactJson } from "#wire/json.ts";
import { fitResult, type Marker } from "./fit-result.ts";
import { actionRules } from "./rules.ts";

/** Longer than paths in most state directories. */
const longPath = "/".padEnd(160, "long-path/");

/** Saves the whole result to a file; the model gets the beginning that fits, and the path. */
export const spill: Action = {
  id: "spill",
  ...actionRules.spill,
  result(excess: Excess): ResultAnswer {
    if (excess.result === undefined) return { kind: "refuse" };
    // A file whose path does not fit would never be read, so a long path must fit before a file is saved.
    if (fitResult(excess, markerFor(excess, longPath)) === undefined) return { kind: "refuse" };
    const path = excess.keep(compactJson(excess.result));
    if (path === undefined) return { kind: "refuse" };
    const result = fitResult(excess, markerFor(excess, path));
    return result === undefined ? { kind: "refuse" } : { kind: "replace", result };
  },
};

function markerFor({ spec }: Excess, path: string): Marker {
  return (kept, all) =>
    `[mcp-meter: cut after ${kept} of ${all} characters to fit the budget ${spec}; the whole result is in ${path}]`;
}
