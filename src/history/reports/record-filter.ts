import type { MeterRecord } from "#records/record.ts";
import { fitsChoice } from "#kit/text/wildcard.ts";
import { InstantReader } from "./instant.ts";
import type { TimeRange } from "./time-range.ts";

export type RecordChoice = {
  readonly range: TimeRange;
  readonly filters: { readonly servers: readonly string[]; readonly tools: readonly string[] };
};

export type TimedRecord = { readonly record: MeterRecord; readonly ms: number };

export class RecordFilter {
  readonly #choice: RecordChoice;
  readonly #instants = new InstantReader();

  constructor(choice: RecordChoice) {
    this.#choice = choice;
  }

  timeOf({ ts }: Pick<MeterRecord, "ts">): number {
    return this.#instants.read(ts);
  }

  /** Patterns of tools leave only calls, their alerts and sessions. */
  isWanted({ record, ms }: TimedRecord): boolean {
    const { range, filters } = this.#choice;
    if (!(ms >= range.fromMs && ms < range.toMs)) return false;
    const { servers, tools } = filters;
    if (!fitsChoice(servers, record.server)) return false;
    if (tools.length === 0 || record.type === "session") return true;
    const isOfTool = record.type === "call" || record.type === "alert";
    return isOfTool && record.tool !== null && fitsChoice(tools, record.tool);
  }
  isWantedCall(
    { server, tool }: { readonly server: string; readonly tool: string },
    ms: number,
  ): boolean {
    const { range, filters } = this.#choice;
    if (!(ms >= range.fromMs && ms < range.toMs)) return false;
    return fitsChoice(filters.servers, server) && fitsChoice(filters.tools, tool);
  }
}
