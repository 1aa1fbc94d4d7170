import { toolRowsMax } from "#limits.ts";
import { Ledger } from "#records/ledger.ts";
import type { CallRecord, DefinitionsRecord, MeterRecord } from "#records/record.ts";
import type { Summary } from "#records/summary.ts";
import { CallSizes } from "./call-sizes.ts";

/** The definitions of a server at a time. */
export type DatedDefinitions = { readonly ts: string; readonly tokens: number };

/** Everything that advice about one server is made from. */
export type ServerUsage = {
  readonly server: string;
  readonly summary: Summary;
  readonly sizes: ReadonlyMap<string, CallSizes>;
  /** The oldest and the newest complete definitions of the period; undefined without any. */
  readonly definitions:
    { readonly oldest: DatedDefinitions; readonly newest: DatedDefinitions } | undefined;
};

/** Folds the records of one server. */
export class ServerFold {
  readonly #server: string;
  readonly #ledger = new Ledger();
  readonly #sizes = new Map<string, CallSizes>();
  #oldest: DatedDefinitions | undefined;
  #newest: DatedDefinitions | undefined;

  constructor(server: string) {
    this.#server = server;
  }

  add(record: MeterRecord): void {
    this.#ledger.add(record);
    if (record.type === "call") this.#addCall(record);
    if (record.type === "definitions") this.#addDefinitions(record);
  }

  usage(): ServerUsage {
    const [oldest, newest] = [this.#oldest, this.#newest];
    return {
      server: this.#server,
      summary: this.#ledger.summarize(),
      sizes: this.#sizes,
      definitions: oldest && newest && { oldest, newest },
    };
  }

  #addCall(call: CallRecord): void {
    const { tool, method, outcome } = call;
    // A refused call has no answer that could be shorter.
    if (tool === null || method !== "tools/call" || outcome === "refused") return;
    const known = this.#sizes.get(tool);
    if (!known && this.#sizes.size >= toolRowsMax) return;
    const sizes = known ?? new CallSizes();
    this.#sizes.set(tool, sizes);
    sizes.add(call);
  }

  #addDefinitions({ ts, total_tokens: tokens, is_complete: isComplete }: DefinitionsRecord): void {
    if (!isComplete || tokens === 0) return;
    const dated = { ts, tokens };
    if (!this.#oldest || ts < this.#oldest.ts) this.#oldest = dated;
    if (!this.#newest || ts >= this.#newest.ts) this.#newest = dated;
  }
}
