import type { UsageRow } from "#reports/usage-report.ts";
import type { CallTable } from "../model/call-table.ts";
import type { ToolViewRow } from "../view.ts";

/** The key of a tool, or of a method without tools, in tables. */
export function toolKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** Tokens of the answered calls of each tool, ascending. A refused call is none of the tool. */
export function tokensByTool(
  calls: CallTable,
  rows: readonly number[],
): ReadonlyMap<string, readonly number[]> {
  const tokens = new Map<string, number[]>();
  for (const row of rows) {
    if (calls.outcomeOf(row) === "refused") continue;
    const key = toolKey(calls.serverOf(row), calls.toolOf(row));
    const known = tokens.get(key);
    if (known) known.push(calls.tokensOf(row));
    else tokens.set(key, [calls.tokensOf(row)]);
  }
  for (const [key, all] of tokens) tokens.set(key, [...Float64Array.from(all).toSorted()]);
  return tokens;
}

/** The smallest of some numbers, ascending, that a share of them do not exceed; null without numbers. */
export function percentile(ascending: readonly number[], percent: number): number | null {
  const at = Math.ceil((ascending.length * percent) / 100) - 1;
  return ascending[Math.max(0, at)] ?? null;
}

/** The row of a tool with the figures of its single calls. */
export function withFigures(row: UsageRow, ascending: readonly number[] | undefined): ToolViewRow {
  const answered = row.calls - row.refused;
  const average = (row.total_tokens - row.refused_tokens) / answered;
  return {
    ...row,
    average_tokens: answered > 0 ? Math.round(average) : null,
    p95_tokens: percentile(ascending ?? [], 95),
  };
}
