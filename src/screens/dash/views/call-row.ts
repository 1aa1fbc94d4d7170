import type { TimeZone } from "#history/reports/time-zone.ts";
import type { CallTable } from "../model/call-table.ts";
import type { CallRow } from "../view.ts";

export function callRow(
  calls: CallTable,
  row: number,
  { zone, beganMs }: { readonly zone: TimeZone; readonly beganMs: number },
): CallRow {
  const ms = calls.msOf(row);
  const ts = new Date(ms).toISOString();
  const [, minute = ""] = zone.minuteText(ms).split(" ");
  const [input, output] = [calls.amountOf(row, "input"), calls.amountOf(row, "output")];
  return {
    seq: calls.amountOf(row, "seq"),
    ts,
    time: `${minute}${ts.slice(16, 19)}`,
    offset_ms: Math.max(0, ms - beganMs),
    server: calls.serverOf(row),
    tool: calls.toolOf(row),
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    visible_tokens: calls.amountOf(row, "visible"),
    wire_tokens: calls.amountOf(row, "wire"),
    duplicate_tokens: calls.amountOf(row, "duplicate"),
    duration_ms: calls.amountOf(row, "durationMs"),
    outcome: calls.outcomeOf(row),
    context_tokens: calls.amountOf(row, "context"),
  };
}
