import { servedRowsMax, servedTableColumnsMax } from "../limits.ts";
import type { ServedArguments, ServedTool } from "#transport/mcp-server/served-tool.ts";
import { budgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { render } from "#screens/renderers/index.ts";
import { plural } from "#kit/text/numbers.ts";
import { fitsChoice } from "#kit/text/wildcard.ts";
import { readCounters } from "../counters/read-counters.ts";
import { nameArgument, nameFilters } from "./choice-arguments.ts";
import { shortAnswer } from "./short-answer.ts";
import type { ToolSetting } from "./tool-setting.ts";
import { mcpSentences } from "./sentences.ts";

const allNames = "(all)";

export const budgetsTool: Omit<ServedTool, "answer"> = {
  name: "budgets",
  description: "Spent and left of token budgets per minute to month",
  arguments: { server: nameArgument, tool: nameArgument },
};

export async function answerBudgets(
  args: ServedArguments,
  { io }: Pick<ToolSetting, "io">,
): Promise<string> {
  const { servers, tools } = nameFilters(args);
  const all = await readCounters(io);
  const counters = all.filter(
    ({ server, tool }) =>
      fitsChoice(servers, server ?? allNames) && fitsChoice(tools, tool ?? allNames),
  );
  if (counters.length === 0 && all.length > 0) return mcpSentences.noCounterMatches(all.length);
  const title = plural(counters.length, "budget counter");
  const textOf = (rows: number) => {
    const shown = budgetsDocument(counters.slice(0, rows));
    const document = counters.length === 0 ? shown : { ...shown, title };
    const page = { color: false, columns: servedTableColumnsMax };
    const text = render("table", { document, data: {} }, page);
    return { text, isShortened: rows < counters.length };
  };
  return shortAnswer(textOf, servedRowsMax, `"server" or "tool"`);
}
