import { pluralize } from "#kit/text/numbers.ts";

function describeUnmatched(spec: string, tools: number): string {
  const tally =
    tools === 1
      ? "does not match the server's only tool"
      : `matches none of the server's ${pluralize(tools, "tool")}`;
  return `${spec.startsWith("--") ? spec : `Budget "${spec}"`} ${tally}`;
}

function withoutName(spec: string): string {
  return spec.slice(spec.lastIndexOf("=") + 1);
}

export const budgetSentences = {
  budgetMalformed: (spec: string, reason: string) => `Cannot read budget "${spec}": ${reason}`,
  budgetsContradict: (first: string, second: string) =>
    `Cannot combine budgets "${first}" and "${second}": they limit the same counter differently; remove one`,
  budgetUnmatched: (spec: string, tools: number, nearest: string | undefined) =>
    describeUnmatched(spec, tools) + (nearest === undefined ? "" : `; did you mean "${nearest}"?`),
  budgetNamesServer: (spec: string, tools: number) =>
    `${describeUnmatched(spec, tools)}; to limit every tool of this server, write "${withoutName(spec)}"`,
  budgetMayNameServer: (spec: string, server: string) =>
    `Budget "${spec}" limits only a tool named "${server}"; to limit every tool of the server "${server}", write "${withoutName(spec)}"`,
} as const;
