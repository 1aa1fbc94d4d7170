import { sentences } from "#errors.ts";
import { servedBlocksMax, servedRowsMax, servedTableColumnsMax } from "#limits/mcp-server.ts";
import type { ServedArguments, ServedTool } from "#mcp-server/served-tool.ts";
import { renderShortUsage } from "#renderers/reports/short-usage.ts";
import { axes } from "#reports/axes.ts";
import { makeReport } from "#reports/make-report.ts";
import type { UsageReport } from "#reports/usage-report.ts";
import { noMatchSentence } from "../report/no-match.ts";
import { readUsage } from "../report/read-usage.ts";
import { rangeOf, zoneNamed } from "../report/usage.ts";
import { nameArgument, nameFilters, rangeArgument, sinceArgument } from "./choice-arguments.ts";
import { shortAnswer } from "./short-answer.ts";
import { boundedReading, hasRecords, Notes, type ToolSetting } from "./tool-setting.ts";
import type { IsWanted } from "./question-queue.ts";

const sinceDefault = "24h";

const rowsDefault = 20;

const narrower = `"since", "server", "tool" or another "by"`;

export const usageTool: Omit<ServedTool, "answer"> = {
  name: "usage",
  description:
    "Tokens that MCP servers of this machine put into contexts: definitions, arguments, results; ~ marks estimates",
  arguments: {
    by: { type: "string", enum: [...axes], description: "rows; default tool" },
    since: sinceArgument(sinceDefault),
    until: { type: "string" },
    server: nameArgument,
    tool: nameArgument,
    top: { type: "integer", minimum: 1, maximum: servedRowsMax },
  },
};

export async function answerUsage(
  args: ServedArguments,
  setting: ToolSetting,
  isWanted: IsWanted,
): Promise<string> {
  const { timezone, prices, io, now } = setting;
  const zone = zoneNamed(timezone);
  const since = rangeArgument(args, "since") ?? sinceDefault;
  const range = rangeOf({ since, until: rangeArgument(args, "until") }, undefined, zone, now());
  const by = axes.find((axis) => axis === args["by"]) ?? "tool";
  const notes = new Notes();
  const plan = { ranges: [range], zone, nowMs: now(), isBySession: by === "session" };
  const { facts, daysLeftOut } = await readUsage([], plan, io, boundedReading(notes, isWanted));
  if (facts.length === 0 && daysLeftOut === 0 && !hasRecords(io)) return sentences.noRecordsYet();
  const asked = { facts, filters: nameFilters(args), range, zone };
  const top = Number(args["top"] ?? rowsDefault);
  const reportOf = (rows: number): UsageReport =>
    makeReport(asked.facts, {
      ...asked,
      prices,
      tables: [{ by: [by], top: rows, order: undefined }],
      daysLeftOut,
      trend: undefined,
    });
  if (reportOf(1).blocks.length === 0) {
    return [noMatchSentence(asked.facts, asked), ...notes.sentences].join("\n\n");
  }
  return shortAnswer(
    (rows) => {
      const report = reportOf(rows);
      const isChosen = rows === top && args["top"] !== undefined;
      return { text: textOf(report), isShortened: !isChosen && hasMore(report) };
    },
    top,
    narrower,
    notes.sentences,
  );
}

function textOf(report: UsageReport): string {
  const sorted = report.blocks.toSorted(
    (one, other) => other.totals.context_tokens - one.totals.context_tokens,
  );
  const blocks = sorted.slice(0, servedBlocksMax);
  return renderShortUsage({ ...report, blocks }, servedTableColumnsMax);
}

function hasMore({ blocks }: UsageReport): boolean {
  const rows = blocks.flatMap(({ tables }) => tables).flatMap((table) => table.rows);
  return blocks.length > servedBlocksMax || rows.some(({ more }) => more !== undefined);
}
