import type { LimitExcess } from "#lock/lock-limits.ts";
import type { Drift } from "#lock/drift/severity-rules.ts";
import { showDifference } from "#kit/text/difference.ts";
import { escapeLookalikes } from "#kit/text/unsafe-text.ts";
import { formatLimit, formatSpent } from "#records/summary.ts";
import type { UnmetExpectation } from "./expected-content.ts";
import type { BudgetVerdict, CallProblem, JudgedCall } from "./judge-calls.ts";

const problemValueColumnsMax = 240;

export function describeDrift(drift: Drift): string {
  const values = describeValues(drift);
  return `${drift.severity}: ${escapeLookalikes(drift.what)}${values === undefined ? "" : ` (${values})`}`;
}

function describeValues({ before, after }: Drift): string | undefined {
  if (before === null) return after === null ? undefined : escapeLookalikes(after);
  if (after === null) return `was ${escapeLookalikes(before)}`;
  const difference = showDifference({ before, after }, problemValueColumnsMax);
  return `${difference.before} → ${difference.after}`;
}

export function describeExcess({ tokens, allowed }: LimitExcess): string {
  return `the definitions take ${tokens} tokens; the limit is ${allowed}`;
}

export function describeCallProblem(problem: CallProblem, call: JudgedCall): string {
  return problemTexts[problem](call);
}

const problemTexts: { readonly [problem in CallProblem]: (call: JudgedCall) => string } = {
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
  structure_not_compared: ({ fault }) =>
    fault ?? "the answer's structuredContent was not validated",
  no_answer: ({ error }) => `it failed: ${error ?? "no answer"}`,
  unlisted_tool: ({ error }) => error ?? "its tool is not listed",
  server_failed: ({ error }) => error ?? "the server failed",
  not_metered: () => "the meter did not record it",
};

function describeRejection({ fault }: JudgedCall): string {
  return `clients reject its answer${fault === null ? "" : `: ${fault}`}`;
}

function describeUnmet(unmet: UnmetExpectation): string {
  const { rule, pointer, expected, found } = unmet;
  if (rule === "equals") {
    const isWhole = pointer === "";
    const missing = isWhole ? "the answer is not JSON" : `${pointer} is missing`;
    const actual = found === null ? missing : `${isWhole ? "the answer" : pointer} is ${found}`;
    return `${actual}; expected ${expected}`;
  }
  const verb = rule === "contains" ? "contain" : "match";
  const text = unmet.is_too_long ? `it has ${found}` : `it is "${found}"`;
  const actual = found === null ? "it has no text" : text;
  return `the answer does not ${verb} "${expected}"; ${actual}`;
}

export function describeBudget(verdict: BudgetVerdict): string {
  const { budget, spent, unit, per, limit } = verdict;
  const verb = unit === "dollars" ? "cost" : "take";
  const sum = unit === "calls" ? "there are" : `all calls together ${verb}`;
  const subject = per === "call" ? `the most expensive call ${verb}s` : sum;
  const use =
    unit === "dollars"
      ? `${formatSpent(spent, unit)}; the limit is ${formatLimit(verdict)}`
      : `${spent} ${unit}; the limit is ${limit}`;
  return `budget ${budget}: ${subject} ${use}`;
}
