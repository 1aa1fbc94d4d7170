import type { UsageBlock, UsageReport } from "#history/reports/usage-report.ts";
import { type CsvValue, renderCsv } from "./csv.ts";

type CsvRow = { readonly [name: string]: CsvValue | undefined };

/** The first table of each block; the estimator is the first column, the machine, if known, the last. */
export function renderUsageCsv({ blocks, machine }: UsageReport): string {
  const own = machine === undefined ? {} : { machine };
  const rows = blocks.flatMap(rowsOf).map((row) => ({ ...row, ...("machine" in row ? {} : own) }));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return renderCsv(["estimator", ...[...names].filter((name) => name !== "estimator")], rows);
}

function rowsOf({ estimation, tables }: UsageBlock): CsvRow[] {
  const [table] = tables;
  if (!table) return [];
  const estimator = estimation?.estimator ?? null;
  const last = table.by.at(-1) ?? "";
  const lastMember = last === "session" ? "session_id" : last;
  return table.rows.map(({ more, cost_usd: cost, ...row }) => ({
    estimator,
    ...row,
    ...(cost === undefined
      ? {}
      : { cost_low_usd: cost?.low ?? null, cost_high_usd: cost?.high ?? null }),
    ...(more === undefined ? {} : { [lastMember]: `(${more} more)` }),
  }));
}
