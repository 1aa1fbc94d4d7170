import { pluralize } from "#kit/text/numbers.ts";

export const budgetSentences = {
  budgetMalformed: (spec: string, reason: string) => `Cannot read budget "${spec}": ${reason}`,
  budgetsContradict: (first: string, second: string) =>
    `Cannot combine budgets "${first}" and "${second}": they limit the same counter differently; remove one`,
  budgetUnmatched: (spec: string, tools: number, nearest: string | undefined) =>
    `Budget "${spec}" ${tools === 1 ? "does not match the server's only tool" : `matches none of the server's ${pluralize(tools, "tool")}`}` +
    (nearest === undefined ? "" : `; did you mean "${nearest}"?`),
} as const;
