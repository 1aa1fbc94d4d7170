import { makeReport } from "#history/reports/make-report.ts";
import { axes, needsRecords, type UsageReport } from "#history/reports/usage-report.ts";
import type { Section } from "#screens/renderers/document.ts";
import { render } from "#screens/renderers/index.ts";
import { buildUsageDocument } from "#screens/renderers/documents/usage.ts";
import type { ServedArguments } from "#transport/mcp-server/serve.ts";
import { readUsage } from "../report/read-usage.ts";
import { describeNoMatch, openTimeZone, resolveRange } from "../report/usage.ts";
import {
  limitReading,
  Notes,
  servedRowsMax,
  servedTableColumnsMax,
  shortenAnswer,
} from "./answer-limits.ts";
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

const sinceDefault = "24h";

const rowsDefault = 20;

export const usageTool: ContextTool = {
  name: "usage",
  description:
    "Tokens that MCP servers on this machine put into contexts: definitions, arguments, results; ~ marks estimates",
  arguments: {
    by: {
      type: "string",
      enum: [...axes],
      description: 'how to group usage into rows; default "tool"',
    },
    since: describeSince(sinceDefault),
    until: { type: "string" },
    server: nameArgument,
    tool: nameArgument,
    top: { type: "integer", minimum: 1, maximum: servedRowsMax },
  },
  answer: answerUsage,
};

export async function answerUsage(
  args: ServedArguments,
  { timezone, prices, io, now }: ToolContext,
  isWanted: IsWanted,
): Promise<string> {
  const zone = openTimeZone(timezone);
  const since = parseRangeArgument(args, "since") ?? sinceDefault;
  const raw = { since, until: parseRangeArgument(args, "until") };
  const range = resolveRange(raw, undefined, zone, now());
  const by = axes.find((axis) => axis === args["by"]) ?? "tool";
  const notes = new Notes();
  const plan = { ranges: [range], zone, nowMs: now(), needsRecords: needsRecords([by]), by: [by] };
  const { facts, daysLeftOut } = await readUsage([], plan, io, limitReading(notes, isWanted));
  if (facts.length === 0 && daysLeftOut === 0 && !hasRecords(io)) return noRecordsYet;
  const selection = { filters: parseNameFilters(args), range, zone };
  const top = Number(args["top"] ?? rowsDefault);
  const buildReport = (rows: number): UsageReport =>
    makeReport(facts, {
      ...selection,
      prices,
      tables: [{ by: [by], top: rows, order: undefined }],
      daysLeftOut,
      trend: undefined,
    });
  if (buildReport(1).blocks.length === 0) {
    return [describeNoMatch(facts, selection), ...notes.sentences].join("\n\n");
  }
  const renderRows = (rows: number) => {
    const report = buildReport(rows);
    const isAsRequested = rows === top && args["top"] !== undefined;
    return { text: renderShortUsage(report), isShortened: !isAsRequested && hasMore(report) };
  };
  const narrowingArguments = `"since", "server", "tool" or another "by"`;
  return shortenAnswer(renderRows, top, narrowingArguments, notes.sentences);
}

function hasMore({ sum }: UsageReport): boolean {
  return sum.tables.flatMap((table) => table.rows).some(({ more }) => more !== undefined);
}

function renderShortUsage(report: UsageReport): string {
  const { title, sections } = buildUsageDocument(report, {
    isWide: false,
    isTerminal: false,
    modelOption: "mcp-meter report --cost --model NAME",
  });
  const shortSections = sections.map((section) =>
    section.kind === "grid" ? dropColumns(section) : section,
  );
  const page = { color: false, columns: servedTableColumnsMax };
  return render("table", { document: { title, sections: shortSections }, data: report }, page);
}

// To keep the answer short, columns with a lower `dropRank` are left out.
const keptRankMin = 9;

function dropColumns(grid: Extract<Section, { kind: "grid" }>): Section {
  const isKept = grid.columns.map(({ dropRank = keptRankMin }) => dropRank >= keptRankMin);
  const pickKept = <Item>(items: readonly Item[]): Item[] => items.filter((_, at) => isKept[at]);
  return { ...grid, columns: pickKept(grid.columns), rows: grid.rows.map(pickKept) };
}
