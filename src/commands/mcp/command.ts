import { describePeriod } from "#history/reports/time-range.ts";
import { Readable, Writable } from "node:stream";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { serve, type ServedArguments, type ServedTool } from "#transport/mcp-server/serve.ts";
import { openStdin } from "#kit/os/standard-streams.ts";
import { writeAll } from "#kit/os/write-file.ts";
import { Teller } from "#kit/text/teller.ts";
import { openPrices, readNamedPrices, type PriceOptions } from "../price-options.ts";
import { openTimeZone, resolveRange } from "../report/usage.ts";
import { type IsWanted, QuestionQueue } from "./question-queue.ts";
import {
  type ToolContext,
  limitReading,
  hasRecords,
  Notes,
  servedTableColumnsMax,
  nameArgument,
  parseNameFilters,
  parseRangeArgument,
  describeSince,
  shortenAnswer,
} from "./tool-context.ts";
import { buildBudgetsDocument } from "#screens/renderers/documents/budgets.ts";
import { render } from "#screens/renderers/index.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { matchesAnyPattern } from "#kit/text/match-names.ts";
import { readCounters } from "../counters/read-counters.ts";
import { mcpSentences } from "./sentences.ts";
import { formatPeriod } from "#screens/renderers/documents/shared-texts.ts";
import { renderAdvice } from "#screens/renderers/reports/advice.ts";
import { makeReport } from "#history/reports/make-report.ts";
import { addHistory, createAdviceFold } from "#history/reports/advice/advice-fold.ts";
import { findImports, findSources } from "../report/analysis.ts";
import { readWithImports, readUsage } from "../report/read-usage.ts";
import { findConfiguredLimits } from "../wrap/find-targets.ts";
import { commandSentences } from "../sentences.ts";
import { axes, needsRecords, type UsageReport } from "#history/reports/usage-report.ts";
import { describeNoMatch } from "../report/read-sources.ts";
import type { Section } from "#screens/renderers/document.ts";
import { buildUsageDocument } from "#screens/renderers/documents/usage.ts";

export type McpOptions = PriceOptions & {
  readonly timezone: string | undefined;
};

export async function serveMcp(options: McpOptions, io: Io): Promise<Ending> {
  // Throws for an unknown zone before anything is served.
  openTimeZone(options.timezone);
  const { tell } = new Teller(io.stderr);
  const prices = await openPrices(options, await readNamedPrices(options));
  const tools = makeTools({ timezone: options.timezone, prices, io, now: Date.now });
  const input = Readable.from(readStdin(), { objectMode: false });
  await serve(tools, { input, output: openStdout() }, tell);
  return { code: exitCodes.ok };
}

const sinceDefault = "7d";

const adviceTool: Omit<ServedTool, "answer"> = {
  name: "advice",
  description: "Changes that save tokens, and how many they save",
  arguments: { since: describeSince(sinceDefault), server: nameArgument, tool: nameArgument },
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
  const records = await findSources([], { ranges: [range], zone, nowMs: now() }, io, tell);
  if (records.sources.length === 0 && !hasRecords(io)) return mcpSentences.noRecordsYet();
  const imports = findImports(io, range.fromMs);
  const imported = await readWithImports(limit(records), { take, tell, imports, afterFile });
  addHistory(fold, imported, range);
  if (fold.leftOut > 0) tell(commandSentences.recordsLeftOut(fold.leftOut));
  const period = formatPeriod({ ...describePeriod(range, zone), timezone: zone.name });
  const found = fold.advise(parseNameFilters(args), findConfiguredLimits(io));
  const renderRows = (rows: number) => {
    const shown = { period, ...found, advice: found.advice.slice(0, rows) };
    const text = renderAdvice("table", shown, { color: false });
    return { text, isShortened: rows < found.advice.length };
  };
  return shortenAnswer(renderRows, servedRowsMax, `"since", "server" or "tool"`, notes.sentences);
}

const allNames = "(all)";

const budgetsTool: Omit<ServedTool, "answer"> = {
  name: "budgets",
  description: "Spent and remaining amounts of token budgets per minute to month",
  arguments: { server: nameArgument, tool: nameArgument },
};

export async function answerBudgets(
  args: ServedArguments,
  { io, now }: Pick<ToolContext, "io" | "now">,
): Promise<string> {
  const { servers, tools } = parseNameFilters(args);
  const allCounters = await readCounters(io);
  const counters = allCounters.filter(
    ({ server, tool }) =>
      matchesAnyPattern(servers, server ?? allNames) && matchesAnyPattern(tools, tool ?? allNames),
  );
  if (counters.length === 0 && allCounters.length > 0)
    return mcpSentences.noCounterMatches(allCounters.length);
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

const stdoutFd = 1;

// `process.stdin` and `process.stdout` would make the descriptors non-blocking, also for other processes.
async function* readStdin(): AsyncGenerator<Buffer> {
  const reader = openStdin();
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return;
    yield Buffer.from(value);
  }
}

function openStdout(): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      void writeAll(stdoutFd, chunk).then((code) =>
        done(code === undefined ? null : Object.assign(new Error(code), { code })),
      );
    },
  });
}

type AnswerTool = (
  args: ServedArguments,
  context: ToolContext,
  isWanted: IsWanted,
) => Promise<string>;

function makeTools(context: ToolContext): readonly ServedTool[] {
  const queue = new QuestionQueue();
  const makeQueued = (tool: Omit<ServedTool, "answer">, answer: AnswerTool): ServedTool => ({
    ...tool,
    answer: (args, isWanted) => {
      const key = JSON.stringify([tool.name, args]);
      return queue.ask(key, isWanted, (isStillWanted) => answer(args, context, isStillWanted));
    },
  });
  return [
    makeQueued(usageTool, answerUsage),
    makeQueued(budgetsTool, answerBudgets),
    makeQueued(adviceTool, answerAdvice),
  ];
}

const servedRowsMax = 50;

const usageSinceDefault = "24h";

const rowsDefault = 20;

const usageNarrowingArguments = `"since", "server", "tool" or another "by"`;

const usageTool: Omit<ServedTool, "answer"> = {
  name: "usage",
  description:
    "Tokens that MCP servers on this machine put into contexts: definitions, arguments, results; ~ marks estimates",
  arguments: {
    by: { type: "string", enum: [...axes], description: "rows; default tool" },
    since: describeSince(usageSinceDefault),
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
  const since = parseRangeArgument(args, "since") ?? usageSinceDefault;
  const raw = { since, until: parseRangeArgument(args, "until") };
  const range = resolveRange(raw, undefined, zone, now());
  const by = axes.find((axis) => axis === args["by"]) ?? "tool";
  const notes = new Notes();
  const plan = { ranges: [range], zone, nowMs: now(), needsRecords: needsRecords([by]), by: [by] };
  const { facts, daysLeftOut } = await readUsage([], plan, io, limitReading(notes, isWanted));
  if (facts.length === 0 && daysLeftOut === 0 && !hasRecords(io))
    return mcpSentences.noRecordsYet();
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
    const isChosen = rows === top && args["top"] !== undefined;
    const text = renderShortUsage(report, servedTableColumnsMax);
    return { text, isShortened: !isChosen && hasMore(report) };
  };
  return shortenAnswer(renderRows, top, usageNarrowingArguments, notes.sentences);
}

function hasMore({ sum }: UsageReport): boolean {
  return sum.tables.flatMap((table) => table.rows).some(({ more }) => more !== undefined);
}

const keptRankMin = 9;

const definitionsNoteLabel = "definitions";

function renderShortUsage(report: UsageReport, columnsMax: number): string {
  const { title, sections } = buildUsageDocument(report, {
    isWide: false,
    isTerminal: false,
    modelOption: "mcp-meter report --cost --model NAME",
  });
  const document = { title, sections: sections.map(shortenSection) };
  return render("table", { document, data: report }, { color: false, columns: columnsMax });
}

function shortenSection(section: Section): Section {
  if (section.kind === "grid") return dropColumns(section);
  if (section.kind !== "notes") return section;
  return { ...section, notes: section.notes.filter(({ label }) => label !== definitionsNoteLabel) };
}

function dropColumns(grid: Extract<Section, { kind: "grid" }>): Section {
  const isKept = grid.columns.map(({ dropRank = keptRankMin }) => dropRank >= keptRankMin);
  const pickKept = <Item>(items: readonly Item[]): Item[] => items.filter((_, at) => isKept[at]);
  return { ...grid, columns: pickKept(grid.columns), rows: grid.rows.map(pickKept) };
}

// Directories of MCP servers list these tools.
export const servedTools = [usageTool, budgetsTool, adviceTool];
