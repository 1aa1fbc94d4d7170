import { servedBlocksMax, servedRowsMax } from "../limits.ts";
import type { ServedArguments, ServedTool } from "#transport/mcp-server/served-tool.ts";
import { periodText } from "#screens/renderers/documents/usage-period.ts";
import { renderAdvice } from "#screens/renderers/reports/advice.ts";
import { periodOf } from "#history/reports/make-report.ts";
import { addHistory } from "#history/reports/advice/imported-advice.ts";
import { adviceFold, importsOf, sourcesOf } from "../report/other-report.ts";
import { readWithImports } from "../report/read-with-imports.ts";
import { rangeOf, zoneNamed } from "../report/usage.ts";
import { nameArgument, nameFilters, rangeArgument, sinceArgument } from "./choice-arguments.ts";
import type { IsWanted } from "./question-queue.ts";
import { shortAnswer } from "./short-answer.ts";
import { boundedReading, hasRecords, Notes, type ToolSetting } from "./tool-setting.ts";
import { mcpSentences } from "./sentences.ts";
import { commandSentences } from "../sentences.ts";

const sinceDefault = "7d";

export const adviceTool: Omit<ServedTool, "answer"> = {
  name: "advice",
  description: "Changes that spare tokens, with their amounts",
  arguments: { since: sinceArgument(sinceDefault), server: nameArgument, tool: nameArgument },
};

export async function answerAdvice(
  args: ServedArguments,
  { timezone, io, now }: ToolSetting,
  isWanted: IsWanted,
): Promise<string> {
  const zone = zoneNamed(timezone);
  const since = rangeArgument(args, "since") ?? sinceDefault;
  const range = rangeOf({ since, until: undefined }, undefined, zone, now());
  const { fold, take } = adviceFold(range);
  const notes = new Notes();
  const { tell, limit, pause } = boundedReading(notes, isWanted);
  const found = await sourcesOf([], { ranges: [range], zone, nowMs: now() }, io, tell);
  if (found.sources.length === 0 && !hasRecords(io)) return mcpSentences.noRecordsYet();
  const imports = importsOf(io, range.fromMs);
  addHistory(fold, await readWithImports(limit(found), { take, tell, imports, pause }), range);
  if (fold.leftOut > 0) tell(commandSentences.recordsLeftOut(fold.leftOut));
  const period = periodText({ ...periodOf(range, zone), timezone: zone.name });
  const all = fold.parts(nameFilters(args));
  const textOf = (rows: number) => {
    const shown = all.slice(0, servedBlocksMax);
    const blocks = shown.map((part) => ({ ...part, advice: part.advice.slice(0, rows) }));
    const isShortened = shown.length < all.length || all.some(({ advice }) => rows < advice.length);
    return {
      text: renderAdvice("table", { schema_version: "1.0", period, blocks }, { color: false }),
      isShortened,
    };
  };
  return shortAnswer(textOf, servedRowsMax, `"since", "server" or "tool"`, notes.sentences);
}
