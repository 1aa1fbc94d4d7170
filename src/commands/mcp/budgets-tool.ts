import { pluralize } from "#kit/text/numbers.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import { buildBudgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { render } from "#screens/renderers/index.ts";
import type { ServedArguments } from "#transport/mcp-server/serve.ts";
import { readCounters } from "../counters/read-counters.ts";
import { servedRowsMax, servedTableColumnsMax, shortenAnswer } from "./answer-limits.ts";
import {
  type ContextTool,
  nameArgument,
  parseNameFilters,
  type ToolContext,
} from "./tool-context.ts";

export const budgetsTool: ContextTool = {
  name: "budgets",
  description:
    "How much of each budget with a period (minute, hour, day, week or month) is spent and how much remains",
  arguments: { server: nameArgument, tool: nameArgument },
  answer: answerBudgets,
};

const allNames = "(all)";

export async function answerBudgets(
  args: ServedArguments,
  { io, now }: Pick<ToolContext, "io" | "now">,
): Promise<string> {
  const { servers, tools } = parseNameFilters(args);
  const allCounters = await readCounters(io);
  const counters = allCounters.filter(
    ({ server, tool }) =>
      passesPatterns(servers, server ?? allNames) && passesPatterns(tools, tool ?? allNames),
  );
  if (counters.length === 0 && allCounters.length > 0) return describeNoMatch(allCounters.length);
  const title = pluralize(counters.length, "budget counter");
  const renderRows = (rows: number) => {
    const shown = buildBudgetsDocument(counters.slice(0, rows), now());
    const document = counters.length === 0 ? shown : { ...shown, title };
    const page = { color: false, columns: servedTableColumnsMax };
    const text = render("table", { document, data: {} }, page);
    return { text, isShortened: rows < counters.length };
  };
  return shortenAnswer(renderRows, servedRowsMax, `"server" or "tool"`);
}

function describeNoMatch(counters: number): string {
  return `No match in ${pluralize(counters, "budget counter")}; leave out "server" and "tool" to list all`;
}
