import type { ReplayedBudget } from "#reports/replay/budget-replay.ts";
import { formatCount, formatShare } from "#text/numbers.ts";
import type { Document, Row } from "../document.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import { renderJson } from "../json.ts";
import type { TerminalOptions } from "../terminal.ts";

/** Budgets replayed over recorded calls, as `report --what-if … --format json` prints it. */
export type ReplayReport = {
  readonly schema_version: "1.0";
  /** The period in words, with its time zone. */
  readonly period: string;
  readonly budgets: readonly ReplayedBudget[];
};

/** A replay in that format. Ends with a newline. */
export function renderReplay(
  format: DocumentFormat,
  report: ReplayReport,
  options: TerminalOptions,
): string {
  if (format === "json") return renderJson(report);
  return render(format, { document: replayDocument(report), data: report }, options);
}

const heads = ["calls", "breaches", "tokens", "spared", "share"];

function replayDocument({ period, budgets }: ReplayReport): Document {
  return {
    title: `mcp-meter: budgets replayed over the calls of ${period}`,
    sections: [
      {
        kind: "grid",
        columns: [{ head: "budget" }, ...heads.map((head) => ({ head, isNumber: true }))],
        rows: budgets.map(rowOf),
      },
      {
        kind: "notes",
        notes: [
          {
            label: "note",
            text: "each budget on its own, over the calls that were made; a model that is refused may make other calls",
          },
        ],
      },
    ],
  };
}

function rowOf({ budget, calls, breaches, tokens, spared_tokens: spared }: ReplayedBudget): Row {
  return [
    { name: budget },
    formatCount(calls),
    formatCount(breaches),
    `~${formatCount(tokens)}`,
    `~${formatCount(spared)}`,
    formatShare(tokens === 0 ? 0 : spared / tokens),
  ];
}
