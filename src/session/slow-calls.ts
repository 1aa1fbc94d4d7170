import type { AlertRecord, Common, RecordBody } from "#records/record.ts";
import { formatDuration } from "#text/numbers.ts";

/**
 * The alert that a finished record calls for when its call took longer than `slowMs`. Sampling is left out, because it
 * waits for a model or a person, and so is the time for which mcp-meter itself held the request.
 */
export function slowCallAlerts(
  body: RecordBody,
  heldMs: number,
  slowMs: number | undefined,
): readonly Omit<AlertRecord, keyof Common>[] {
  const isMeasured = body.type === "call" && body.method !== "sampling/createMessage";
  if (slowMs === undefined || !isMeasured || body.outcome === "refused") return [];
  const value = Math.round(body.duration_ms - heldMs);
  if (value <= slowMs) return [];
  const detail = `took ${formatDuration(value)}; --slow is ${formatDuration(slowMs)}`;
  const { tool } = body;
  return [{ type: "alert", alert: "slow_call", tool, budget: null, limit: slowMs, value, detail }];
}
