import { addHistory, createAdviceFold } from "#history/reports/advice/advice-fold.ts";
import { describePeriod } from "#history/reports/time-range.ts";
import { formatPeriod } from "#screens/renderers/documents/shared-texts.ts";
import { renderAdvice } from "#screens/renderers/reports/advice.ts";
import type { ServedArguments } from "#transport/mcp-server/serve.ts";
import { findImports, findSources, readWithImports } from "../report/read-usage.ts";
import { openTimeZone, resolveRange } from "../report/usage.ts";
import { commandSentences } from "../sentences.ts";
import { findConfiguredLimits } from "../wrap/configured-limits.ts";
import { limitReading, Notes, servedRowsMax, shortenAnswer } from "./answer-limits.ts";
import type { IsWanted } from "./question-queue.ts";
import {
  type ContextTool,
  describeSince,
  hasRecords,
  nameArgument,
  noRecordsYet,
  parseNameFilters,
  parseRangeArgument,
  type ToolContext,
} from "./tool-context.ts";

const sinceDefault = "7d";

export const adviceTool: ContextTool = {
  name: "advice",
  description: "Changes that save tokens, and how many they save",
  arguments: { since: describeSince(sinceDefault), server: nameArgument, tool: nameArgument },
  answer: answerAdvice,
};

export async function answerAdvice(
  args: ServedArguments,
  { timezone, io, now }: ToolContext,
  isWanted: IsWanted,
): Promise<string> {
  const zone = openTimeZone(timezone);
  const since = parseRangeArgument(args, "since") ?? sinceDefault;
  const range = resolveRange({ since, until: undefined }, undefined, zone, now());
  const { fold, take } = createAdviceFold(range);
  const notes = new Notes();
  const { tell, limit, afterFile } = limitReading(notes, isWanted);
  const found = await findSources([], { ranges: [range], zone, nowMs: now() }, io, tell);
  if (found.sources.length === 0 && !hasRecords(io)) return noRecordsYet;
  const { sessions, imports } = limit({
    sessions: found,
    imports: findImports([], io, range.fromMs),
  });
  const importedUsage = await readWithImports(sessions, { take, tell, imports, afterFile });
  addHistory(fold, importedUsage, range);
  if (fold.leftOut > 0) tell(commandSentences.recordsLeftOut(fold.leftOut));
  const period = formatPeriod({ ...describePeriod(range, zone), timezone: zone.name });
  const result = fold.advise(parseNameFilters(args), findConfiguredLimits(io));
  const renderRows = (rows: number) => {
    const shown = { period, ...result, advice: result.advice.slice(0, rows) };
    const text = renderAdvice("table", shown, { color: false });
    return { text, isShortened: rows < result.advice.length };
  };
  return shortenAnswer(renderRows, servedRowsMax, `"since", "server" or "tool"`, notes.sentences);
}
