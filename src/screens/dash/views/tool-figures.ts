import type { UsageRow } from "#history/reports/usage-report.ts";
import type { CallTable } from "../model/call-table.ts";
import type { ToolViewRow } from "../view.ts";

export function toolKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

export function tokensByTool(
  calls: CallTable,
  rows: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const tools = new Map<number, { readonly key: string; readonly tokens: number[] }>();
  for (const row of rows) {
    if (calls.outcomeOf(row) === "refused") continue;
    const id = calls.toolIdOf(row);
    const known = tools.get(id);
    if (known) known.tokens.push(calls.tokensOf(row));
    else tools.set(id, { key: keyOf(calls, row), tokens: [calls.tokensOf(row)] });
  }
  return new Map([...tools.values()].map(({ key, tokens }) => [key, tokens.toSorted(ascending)]));
}

function keyOf(calls: CallTable, row: number): string {
  return toolKey(calls.serverOf(row), calls.toolOf(row));
}

function ascending(one: number, other: number): number {
  return one - other;
}

export function withFigures(row: UsageRow, tokens: readonly number[] | undefined): ToolViewRow {
  const answered = row.calls - row.refused;
  const average = (row.total_tokens - row.refused_tokens) / answered;
  return {
    ...row,
    average_tokens: answered > 0 ? Math.round(average) : null,
    p95_tokens: percentile(tokens ?? [], 95),
  };
}

function percentile(sorted: readonly number[], percent: number): number | null {
  const at = Math.ceil((sorted.length * percent) / 100) - 1;
  return sorted[Math.max(0, at)] ?? null;
}
