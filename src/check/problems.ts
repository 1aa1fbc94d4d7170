import type { Drift } from "#lock/drift.ts";
import type { LimitExcess } from "#lock/lock-limits.ts";
import { showDifference } from "#kit/text/difference.ts";
import { escapeLookalikes } from "#kit/text/unsafe-text.ts";
import type { BudgetVerdict } from "./budget-verdict.ts";
import type { UnmetExpectation } from "./judge-answer.ts";
import type { CallProblem, PlayedCall } from "./played-call.ts";

// Two fit into one problem.
const problemValueColumnsMax = 240;

export function describeDrift(drift: Drift): string {
  const values = describeValues(drift);
  return `${drift.severity}: ${escapeLookalikes(drift.what)}${values === undefined ? "" : ` (${values})`}`;
}

function describeValues({ before, after }: Drift): string | undefined {
  if (before === null) return after === null ? undefined : escapeLookalikes(after);
  if (after === null) return `was ${escapeLookalikes(before)}`;
  const shown = showDifference({ before, after }, problemValueColumnsMax);
  return `${shown.before} → ${shown.after}`;
}

export function describeExcess({ tokens, allowed }: LimitExcess): string {
  return `the definitions take ${tokens} tokens; the limit is ${allowed}`;
}

export function describeCallProblem(problem: CallProblem, call: PlayedCall): string {
  return callProblems[problem](call);
}

const callProblems: { readonly [problem in CallProblem]: (call: PlayedCall) => string } = {
  over_budget: ({ tokens, limit }) => `it takes ${tokens} tokens; its budget is ${limit ?? 0}`,
  grew: ({ tokens, recorded_tokens: recorded, allowed_tokens: allowed }) =>
    `it takes ${tokens} tokens; the lock recorded ${recorded ?? 0} and allows ${allowed ?? 0}`,
  unexpected_error: ({ error }) =>
    `it failed${error === null ? "" : ` with "${error}"`}, but should succeed`,
  error_missing: () => "it succeeded, but should fail",
  unexpected_answer: ({ unmet }) => unmet.map(describeUnmet).join("; "),
  unknown_tool: ({ fault }) => `it failed: ${fault ?? "unknown tool"}`,
  malformed_answer: describeRejection,
  structure_mismatch: describeRejection,
  structure_not_compared: ({ fault }) => fault ?? "its structuredContent was not compared",
  no_answer: ({ error }) => `it failed: ${error ?? "no answer"}`,
  unlisted_tool: ({ error }) => error ?? "its tool is not listed",
  server_failed: ({ error }) => error ?? "the server failed",
  not_metered: () => "the meter did not record it",
};

function describeRejection({ fault }: PlayedCall): string {
  return `clients reject its answer${fault === null ? "" : `: ${fault}`}`;
}

function describeUnmet({ rule, pointer, expected, found }: UnmetExpectation): string {
  if (rule === "equals") {
    const isWhole = pointer === "";
    const missing = isWhole ? "the answer has no structure" : `${pointer} is missing`;
    const actual = found === null ? missing : `${isWhole ? "the answer" : pointer} is ${found}`;
    return `${actual}; expected ${expected}`;
  }
  const verb = rule === "contains" ? "contain" : "match";
  const actual = found === null ? "it has no text" : `it is "${found}"`;
  return `the answer does not ${verb} "${expected}"; ${actual}`;
}

export function describeBudget({ budget, spent, unit, per, limit }: BudgetVerdict): string {
  const by = per === "call" ? "its most expensive call takes" : "all calls together take";
  return `budget ${budget}: ${by} ${spent} ${unit}; the limit is ${limit}`;
}
