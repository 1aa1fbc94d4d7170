import { reportSessionsMax } from "#kit/limits.ts";
import type { CallRecord, SessionRecord } from "#records/record.ts";
import type { ImportedCallRecord } from "#records/imported-record.ts";
import { pairCalls, type PairableCall } from "#records/pair-calls.ts";
import { InstantReader } from "../instant.ts";
import { clientKey } from "./client-key.ts";
import { type ImportedHistory, importedCallsMax } from "./imported-history.ts";

type WireCall = PairableCall & { readonly call: CallRecord };

type LogCall = PairableCall & { readonly call: ImportedCallRecord };

export class WireMatches {
  readonly #logged: readonly LogCall[];
  readonly #ids: ReadonlySet<string | null>;
  readonly #hashes: ReadonlySet<string | null>;
  readonly #instants = new InstantReader();
  readonly #wire = new Map<string, CallRecord>();
  readonly #clients = new Map<string, string>();

  constructor(history: ImportedHistory) {
    this.#logged = [...history.calls()].map((call) => ({
      ...pairable(call, clientKey(call.client)),
      call,
    }));
    this.#ids = new Set(this.#logged.map(({ callId }) => callId));
    this.#hashes = new Set(this.#logged.map(({ argumentsHash }) => argumentsHash));
  }

  offer(call: CallRecord): void {
    if (Number.isNaN(this.#instants.read(call.ts))) return;
    const { call_id_sha256: id = null, arguments_sha256: hash } = call;
    const mayMatch =
      (id !== null && this.#ids.has(id)) || (hash !== null && this.#hashes.has(hash));
    if (mayMatch && this.#wire.size < importedCallsMax) {
      this.#wire.set(`${call.session_id} ${call.seq}`, call);
    }
  }

  offerSession({ session_id: id, client_name: client }: SessionRecord): void {
    if (client !== null && this.#clients.size < reportSessionsMax) this.#clients.set(id, client);
  }

  pairs(): ReadonlyMap<ImportedCallRecord, CallRecord> {
    const keys = new Map([...this.#clients].map(([id, client]) => [id, clientKey(client)]));
    const offered = [...this.#wire.values()].map((call): WireCall => {
      return { ...pairable(call, keys.get(call.session_id) ?? null), call };
    });
    const pairs = pairCalls(this.#logged, offered);
    return new Map([...pairs].map(([logged, wire]) => [logged.call, wire.call]));
  }
}

function pairable(call: CallRecord | ImportedCallRecord, client: string | null): PairableCall {
  return {
    client,
    callId: call.call_id_sha256 ?? null,
    server: call.server,
    tool: call.tool,
    argumentsHash: call.arguments_sha256,
    atMs: Date.parse(call.ts),
  };
}
