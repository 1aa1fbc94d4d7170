import type { SummaryEstimation } from "#records/summary.ts";
import { noSums, type Sums } from "#reports/sums.ts";
import type { DayTotal } from "#reports/totals/day-totals.ts";

type Cell = string | number | boolean | null;

/** The values of a total, in the order of the columns. */
export type TotalsRow = readonly Cell[];

const facts = ["day", "server", "method", "tool", "client", "model"] as const;

/** The members of an estimation by their names in a session's record. */
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

/** The columns of a row, in their order. */
export const totalsColumns: readonly string[] = [
  ...facts,
  ...estimationMembers.map(([name]) => name),
  "sessions",
  ...sumNames,
];

/** The row of a total. */
export function totalsRow({ sums, estimation, sessions, ...total }: DayTotal): TotalsRow {
  return [
    ...facts.map((name) => total[name]),
    ...estimationMembers.map(([, member]) => estimation?.[member] ?? null),
    sessions,
    ...sumNames.map((name) => sums[name]),
  ];
}

/** Reads rows of these columns. One that an older version did not have counts as 0 or null, and those of a newer one are dropped. */
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

/** Null where the estimator is not known, or a part of its description. */
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
