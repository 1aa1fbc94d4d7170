import { refusalTokensMax } from "#kit/limits.ts";
import type { ReplayedBudget } from "#history/reports/replay/budget-replay.ts";
import { formatCount, formatShare } from "#kit/text/numbers.ts";
import { type Document, type Row, renderJson } from "../document.ts";
import type { DocumentFormat } from "../formats.ts";
import { render } from "../index.ts";
import type { TerminalOptions } from "../terminal.ts";

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
  const document = hasCalls ? buildReplayDocument(data) : buildEmptyDocument(data);
  return render(format, { document, data }, options);
}

type ReplayData = Omit<ReplayReport, "hasCalls">;

function buildEmptyDocument({ period }: ReplayData): Document {
  return { title: `mcp-meter: no calls in ${period}`, sections: [] };
}

const heads = ["calls", "breaches", "tokens", "saved", "share"];

function buildReplayDocument({ period, budgets }: ReplayData): Document {
  return {
    title: `mcp-meter: budgets replayed over the calls of ${period}`,
    sections: [
      {
        kind: "grid",
        columns: [{ head: "budget" }, ...heads.map((head) => ({ head, isNumber: true }))],
        rows: budgets.map(formatRow),
      },
      {
        kind: "notes",
        notes: [
          {
            label: "note",
            text: `each budget is replayed alone over the calls that were made; a refusal counts as ${refusalTokensMax} tokens, and a refused model may make other calls`,
          },
        ],
      },
    ],
  };
}

function formatRow({
  budget,
  calls,
  breaches,
  tokens,
  spared_tokens: spared,
}: ReplayedBudget): Row {
  const sign = spared < 0 ? "−" : "";
  return [
    { name: budget },
    formatCount(calls),
    formatCount(breaches),
    `~${formatCount(tokens)}`,
    `${sign}~${formatCount(Math.abs(spared))}`,
    `${sign}${formatShare(tokens === 0 ? 0 : Math.abs(spared) / tokens)}`,
  ];
}
