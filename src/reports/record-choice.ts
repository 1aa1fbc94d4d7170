import type { MeterRecord } from "#records/record.ts";
import { fitsChoice } from "#text/wildcard.ts";
import type { TimeRange } from "./time-range.ts";

/** The records of a report: those of a period, of some servers and tools; empty lists of patterns match all. */
export type RecordChoice = {
  readonly range: TimeRange;
  readonly filters: { readonly servers: readonly string[]; readonly tools: readonly string[] };
};

/** True for a record of the period whose names match. Patterns of tools leave only calls and sessions. */
export function isWanted(record: MeterRecord, { range, filters }: RecordChoice): boolean {
  const ms = Date.parse(record.ts);
  if (!(ms >= range.fromMs && ms < range.toMs)) return false;
  const { servers, tools } = filters;
  if (!fitsChoice(servers, record.server)) return false;
  if (tools.length === 0 || record.type === "session") return true;
  return record.type === "call" && record.tool !== null && fitsChoice(tools, record.tool);
}
