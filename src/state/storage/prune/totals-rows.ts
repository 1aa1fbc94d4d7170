import type { SummaryEstimation } from "#records/summary.ts";
import { noSums, type Sums } from "#history/reports/sums.ts";
import type { DayTotal } from "#history/reports/totals/day-totals.ts";

type Cell = string | number | boolean | null;

export type TotalsRow = readonly Cell[];

const facts = ["day", "server", "method", "tool", "client", "model"] as const;

const estimationMembers = [
  ["estimator", "estimator"],
  ["is_estimated", "is_estimated"],
  ["estimation_method", "method"],
  ["estimation_encoding", "encoding"],
  ["estimation_error", "error"],
  ["confidence", "confidence"],
] as const;

type SumName = keyof Sums;

const sumNames = Object.keys(noSums()).filter((name): name is SumName => name in noSums());

export const totalsColumns: readonly string[] = [
  ...facts,
  ...estimationMembers.map(([name]) => name),
  "sessions",
  ...sumNames,
];

export function totalsRow({ sums, estimation, sessions, ...total }: DayTotal): TotalsRow {
  return [
    ...facts.map((name) => total[name]),
    ...estimationMembers.map(([, member]) => estimation?.[member] ?? null),
    sessions,
    ...sumNames.map((name) => sums[name]),
  ];
}

export function totalsReader(names: readonly string[]): (row: TotalsRow) => DayTotal {
  const places = new Map(names.map((name, at) => [name, at]));
  return (row) => {
    const cell = (name: string): Cell => row[places.get(name) ?? -1] ?? null;
    const sums = noSums();
    for (const name of sumNames) sums[name] = numberIn(cell(name));
    return {
      day: textIn(cell("day")) ?? "",
      server: textIn(cell("server")) ?? "",
      method: textIn(cell("method")) ?? "",
      tool: textIn(cell("tool")),
      client: textIn(cell("client")),
      model: textIn(cell("model")),
      estimation: estimationIn(cell),
      sessions: numberIn(cell("sessions")),
      sums,
    };
  };
}

function textIn(cell: Cell): string | null {
  return typeof cell === "string" ? cell : null;
}

function numberIn(cell: Cell): number {
  return typeof cell === "number" && cell > 0 ? cell : 0;
}

const methods = ["bpe", "bpe-scaled", "characters", "words"] as const;
const confidences = ["high", "medium", "low"] as const;

function estimationIn(cell: (name: string) => Cell): SummaryEstimation | null {
  const method = methods.find((one) => one === cell("estimation_method"));
  const confidence = confidences.find((one) => one === cell("confidence"));
  const estimator = textIn(cell("estimator"));
  if (estimator === null || method === undefined || confidence === undefined) return null;
  return {
    estimator,
    method,
    encoding: textIn(cell("estimation_encoding")) ?? "",
    error: textIn(cell("estimation_error")) ?? "",
    confidence,
    is_estimated: cell("is_estimated") !== false,
  };
}
