import type { ServedArguments, ServedTool } from "#transport/mcp-server/served-tool.ts";
import { axes, needsRecords, type UsageReport } from "#history/reports/usage-report.ts";
import { makeReport } from "#history/reports/make-report.ts";
import { describeNoMatch } from "../report/read-sources.ts";
import { readUsage } from "../report/read-usage.ts";
import { resolveRange, openTimeZone } from "../report/usage.ts";
import {
  nameArgument,
  parseNameFilters,
  parseRangeArgument,
  describeSince,
  shortenAnswer,
  limitReading,
  hasRecords,
  Notes,
  type ToolContext,
  servedTableColumnsMax,
} from "./tool-context.ts";
import type { IsWanted } from "./question-queue.ts";
import type { Section } from "#screens/renderers/document.ts";
import { buildUsageDocument } from "#screens/renderers/usage.ts";
import { render } from "#screens/renderers/index.ts";
import { mcpSentences } from "./sentences.ts";

export const servedRowsMax = 50;

const sinceDefault = "24h";

const rowsDefault = 20;

const narrower = `"since", "server", "tool" or another "by"`;

export const usageTool: Omit<ServedTool, "answer"> = {
  name: "usage",
  description:
    "Tokens that MCP servers on this machine put into contexts: definitions, arguments, results; ~ marks estimates",
  arguments: {
    by: { type: "string", enum: [...axes], description: "rows; default tool" },
    since: describeSince(sinceDefault),
    until: { type: "string" },
    server: nameArgument,
    tool: nameArgument,
    top: { type: "integer", minimum: 1, maximum: servedRowsMax },
  },
};

export async function answerUsage(
  args: ServedArguments,
  context: ToolContext,
  isWanted: IsWanted,
): Promise<string> {
  const { timezone, prices, io, now } = context;
  const zone = openTimeZone(timezone);
  const since = parseRangeArgument(args, "since") ?? sinceDefault;
  const raw = { since, until: parseRangeArgument(args, "until") };
  const range = resolveRange(raw, undefined, zone, now());
  const by = axes.find((axis) => axis === args["by"]) ?? "tool";
  const notes = new Notes();
  const plan = { ranges: [range], zone, nowMs: now(), needsRecords: needsRecords([by]), by: [by] };
  const { facts, daysLeftOut } = await readUsage([], plan, io, limitReading(notes, isWanted));
  if (facts.length === 0 && daysLeftOut === 0 && !hasRecords(io))
    return mcpSentences.noRecordsYet();
  const query = { facts, filters: parseNameFilters(args), range, zone };
  const top = Number(args["top"] ?? rowsDefault);
  const buildReport = (rows: number): UsageReport =>
    makeReport(query.facts, {
      ...query,
      prices,
      tables: [{ by: [by], top: rows, order: undefined }],
      daysLeftOut,
      trend: undefined,
    });
  if (buildReport(1).blocks.length === 0) {
    return [describeNoMatch(query.facts, query), ...notes.sentences].join("\n\n");
  }
  const renderRows = (rows: number) => {
    const report = buildReport(rows);
    const isChosen = rows === top && args["top"] !== undefined;
    const text = renderShortUsage(report, servedTableColumnsMax);
    return { text, isShortened: !isChosen && hasMore(report) };
  };
  return shortenAnswer(renderRows, top, narrower, notes.sentences);
}

function hasMore({ sum }: UsageReport): boolean {
  return sum.tables.flatMap((table) => table.rows).some(({ more }) => more !== undefined);
}

const leastRank = 9;

const leftOutNote = "definitions";

function renderShortUsage(report: UsageReport, columnsMax: number): string {
  const { title, sections } = buildUsageDocument(report, { isWide: false, isTerminal: false });
  const document = { title, sections: sections.map(shortenSection) };
  return render("table", { document, data: report }, { color: false, columns: columnsMax });
}

function shortenSection(section: Section): Section {
  if (section.kind === "grid") return dropColumns(section);
  if (section.kind !== "notes") return section;
  return { ...section, notes: section.notes.filter(({ label }) => label !== leftOutNote) };
}

function dropColumns(grid: Extract<Section, { kind: "grid" }>): Section {
  const isKept = grid.columns.map(({ dropRank = leastRank }) => dropRank >= leastRank);
  const pickKept = <Item>(items: readonly Item[]): Item[] => items.filter((_, at) => isKept[at]);
  return { ...grid, columns: pickKept(grid.columns), rows: grid.rows.map(pickKept) };
}
