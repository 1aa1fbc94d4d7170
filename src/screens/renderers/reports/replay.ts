import { type ReplayedBudget, refusalTokensMax } from "#history/reports/replay/budget-replay.ts";
import { formatCount, formatShare } from "#kit/text/numbers.ts";
import { type Document, makeReportName, type Name, type Row, renderJson } from "../document.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import type { TerminalOptions } from "../terminal.ts";
import type { CallSequence, SequencedTool } from "#history/reports/replay/call-sequences.ts";
import { noteMoreRows } from "../documents/shared-texts.ts";

export type ReplayReport = {
  readonly schema_version: "1.0";
  readonly period: string;
  readonly budgets: readonly ReplayedBudget[];
  readonly hasCalls: boolean;
};

export function renderReplay(
  format: DocumentFormat,
  { hasCalls, ...data }: ReplayReport,
  options: TerminalOptions,
): string {
  if (format === "json") return renderJson(data);
  const document = hasCalls
    ? buildReplayDocument(data)
    : { title: `mcp-meter: no calls in ${data.period}`, sections: [] };
  return render(format, { document, data }, options);
}

const numberHeads = ["calls", "breaches", "tokens", "saved", "share"];

function buildReplayDocument({
  period,
  budgets,
}: Pick<ReplayReport, "period" | "budgets">): Document {
  const text = `each budget is replayed separately over the recorded calls; a refusal counts as ${refusalTokensMax} tokens; calls that a model would make only because of a refusal are not counted`;
  return {
    title: `mcp-meter: budgets replayed over the calls of ${period}`,
    sections: [
      {
        kind: "grid",
        columns: [{ head: "budget" }, ...numberHeads.map((head) => ({ head, isNumber: true }))],
        rows: budgets.map(formatRow),
      },
      { kind: "notes", notes: [{ label: "note", text }] },
    ],
  };
}

function formatRow({ budget, calls, breaches, tokens, spared_tokens: saved }: ReplayedBudget): Row {
  const sign = saved < 0 ? "−" : "";
  return [
    makeReportName(budget),
    formatCount(calls),
    formatCount(breaches),
    `~${formatCount(tokens)}`,
    `~${sign}${formatCount(Math.abs(saved))}`,
    `${sign}${formatShare(tokens === 0 ? 0 : Math.abs(saved) / tokens)}`,
  ];
}

export type SequencesReport = {
  readonly schema_version: "1.0";
  readonly period: string;
  readonly sequences: readonly CallSequence[];
  readonly more: number;
};

export function renderSequences(
  format: DocumentFormat,
  data: SequencesReport,
  options: TerminalOptions,
): string {
  if (format === "json") return renderJson(data);
  return render(format, { document: buildSequencesDocument(data), data }, options);
}

function buildSequencesDocument({ period, sequences, more }: SequencesReport): Document {
  if (sequences.length === 0) {
    return { title: `mcp-meter: no calls that follow each other in ${period}`, sections: [] };
  }
  const hasMeans = sequences.some(
    ({ first, next }) => roundCalls(first) > 1 || roundCalls(next) > 1,
  );
  const meanText = hasMeans ? "× is the mean number of consecutive calls; " : "";
  const text = `${meanText}a call between two others belongs to two sequences, so the shares may add up to more than 100%`;
  return {
    title: `mcp-meter: calls that follow each other, ${period}`,
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "first" },
          { head: "then" },
          ...["times", "tokens", "share"].map((head) => ({ head, isNumber: true })),
        ],
        rows: sequences.map(({ first, next, times, tokens, share }): Row => [
          nameTool(first),
          nameTool(next),
          formatCount(times),
          `~${formatCount(tokens)}`,
          formatShare(share),
        ]),
      },
      ...noteMoreRows(more, "sequence"),
      { kind: "notes", notes: [{ label: "note", text }] },
    ],
  };
}

function nameTool(sequenced: SequencedTool): Name {
  const calls = roundCalls(sequenced);
  const repetition = calls > 1 ? ` ×${calls}` : "";
  return makeReportName(`${sequenced.server} · ${sequenced.tool}${repetition}`);
}

function roundCalls({ calls }: SequencedTool): number {
  return Math.round(calls * 10) / 10;
}
