import type { CostRange } from "#records/money/price-book.ts";
import type { StatusSums } from "#records/status-sums.ts";
import {
  addUp,
  formatCompact,
  formatCount,
  formatDollarRange,
  formatShare,
  pluralize,
} from "#kit/text/numbers.ts";
import { clip } from "#kit/text/columns.ts";

export const statusFields = ["tokens", "calls", "top", "cost", "refused"] as const;

type StatusField = (typeof statusFields)[number];

export type StatusFacts = StatusSums & {
  readonly cost: CostRange | null;
  /** False if older records were not read. */
  readonly isComplete: boolean;
};

export type StatusStyle = { readonly template: string; readonly color: boolean };

const separator = " · ";

const serverColumnsMax = 24;

export function renderStatusLine(facts: StatusFacts, { template, color }: StatusStyle): string {
  const tokens = addUp(facts.servers.map((server) => server.tokens));
  if (!Number.isFinite(tokens) || tokens + facts.calls === 0) return "";
  const values = formatFields(facts, tokens, color);
  const parts = template.replaceAll(/\s*[\r\n]+\s*/g, " ").split(separator);
  return parts.flatMap((part) => fillPart(part, values)).join(separator);
}

type FieldValues = { readonly [field in StatusField]: string };

function fillPart(part: string, values: FieldValues): readonly string[] {
  const fields = statusFields.filter((field) => part.includes(`{${field}}`));
  if (fields.length > 0 && fields.every((field) => values[field] === "")) return [];
  // Replaces all placeholders in one pass, because the name of a server may look like a placeholder.
  const filled = part.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const field = fields.find((known) => known === name);
    return field === undefined ? placeholder : values[field];
  });
  return [filled];
}

function formatFields(facts: StatusFacts, tokens: number, color: boolean): FieldValues {
  const { calls, refused, cost, isEstimated, isComplete, servers } = facts;
  const refusals = refused === 0 ? "" : `${formatCount(refused)} refused`;
  return {
    tokens: `${isEstimated ? "~" : ""}${formatCompact(tokens)}${isComplete ? "" : "+"}`,
    calls: calls === 0 ? "" : pluralize(calls, "call"),
    top: formatTop(servers, tokens),
    cost: cost === null ? "" : formatDollarRange(cost),
    refused: color && refused > 0 ? `\u001b[33m${refusals}\u001b[39m` : refusals,
  };
}

function formatTop(servers: StatusFacts["servers"], tokens: number): string {
  const [top] = servers.toSorted((a, b) => b.tokens - a.tokens);
  return top && tokens > 0
    ? `${clip(top.name, serverColumnsMax)} ${formatShare(top.tokens / tokens)}`
    : "";
}
