import type { UsageRow } from "#history/reports/usage-report.ts";

export function seriesLook(at: number, series: readonly string[]): string {
  if (at < 0 || at >= series.length - 1) return "series-other";
  return at === series.length - 2 ? "series-definitions" : `series-${at}`;
}

export function rowLook(row: Pick<UsageRow, "server" | "tool">, series: readonly string[]): string {
  const tool = row.tool ?? "";
  if (isDefinitions(row)) return seriesLook(series.length - 2, series);
  const own = series.slice(0, -2);
  const named = own.indexOf(`${row.server ?? ""} ${tool}`);
  return seriesLook(named < 0 ? own.indexOf(tool) : named, series);
}

export function isDefinitions({ tool }: Pick<UsageRow, "tool">): boolean {
  return tool === "(definitions)";
}
