import type { CallRecord, SessionRecord, ImportedCallRecord } from "#records/record.ts";
import { InstantReader } from "../calendar.ts";
import { makeClientKey, type ImportedHistory, importedCallsMax } from "./imported-history.ts";
import { reportSessionsMax } from "#records/ledger.ts";

type WireCall = PairableCall & { readonly call: CallRecord };

type LoggedCall = PairableCall & { readonly call: ImportedCallRecord };

export class WireMatches {
  readonly #logged: readonly LoggedCall[];
  readonly #loggedIds: ReadonlySet<string | null>;
  readonly #loggedHashes: ReadonlySet<string | null>;
  readonly #instants = new InstantReader();
  readonly #wireCalls = new Map<string, CallRecord>();
  readonly #clientsBySession = new Map<string, string>();

  constructor(history: ImportedHistory) {
    this.#logged = [...history.listCalls()].map((call) => ({
      ...makePairable(call, makeClientKey(call.client)),
      call,
    }));
    this.#loggedIds = new Set(this.#logged.map(({ callId }) => callId));
    this.#loggedHashes = new Set(this.#logged.map(({ argumentsHash }) => argumentsHash));
  }

  offer(call: CallRecord): void {
    if (Number.isNaN(this.#instants.read(call.ts))) return;
    const { call_id_sha256: id = null, arguments_sha256: hash } = call;
    const mayMatch =
      (id !== null && this.#loggedIds.has(id)) || (hash !== null && this.#loggedHashes.has(hash));
    if (mayMatch && this.#wireCalls.size < importedCallsMax) {
      this.#wireCalls.set(`${call.session_id} ${call.seq}`, call);
    }
  }

  offerSession({ session_id: id, client_name: client }: SessionRecord): void {
    if (client !== null && this.#clientsBySession.size < reportSessionsMax)
      this.#clientsBySession.set(id, client);
  }

  findPairs(): ReadonlyMap<ImportedCallRecord, CallRecord> {
    const keys = new Map(
      [...this.#clientsBySession].map(([id, client]) => [id, makeClientKey(client)]),
    );
    const offered = [...this.#wireCalls.values()].map((call): WireCall => {
      return { ...makePairable(call, keys.get(call.session_id) ?? null), call };
    });
    const pairs = pairCalls(this.#logged, offered);
    return new Map([...pairs].map(([logged, wire]) => [logged.call, wire.call]));
  }
}

function makePairable(call: CallRecord | ImportedCallRecord, client: string | null): PairableCall {
  return {
    client,
    callId: call.call_id_sha256 ?? null,
    server: call.server,
    tool: call.tool,
    argumentsHash: call.arguments_sha256,
    atMs: Date.parse(call.ts),
  };
}

// Some clients log a call only when its answer is complete, so the times in log and record differ.
export const pairedCallsMsMax = 10_000;

export type PairableCall = {
  readonly callId: string | null;
  readonly server: string;
  readonly client: string | null;
  readonly tool: string | null;
  readonly argumentsHash: string | null;
  readonly atMs: number;
};

/**
 * Pairs calls by the id that the client gave them. A wire call without an id is paired by server, tool, arguments
 * and time. If that fails, the client is compared instead of the server: a log may name the server differently.
 */
export function pairCalls<Logged extends PairableCall, Wire extends PairableCall>(
  logged: readonly Logged[],
  wire: readonly Wire[],
): ReadonlyMap<Logged, Wire> {
  const pairs = pairById(logged, wire);
  const paired = new Set(pairs.values());
  const withoutId = wire.filter((call) => call.callId === null && !paired.has(call));
  pairByName(({ server }) => server, logged, withoutId, pairs);
  pairByName(({ client }) => client, logged, withoutId, pairs);
  return pairs;
}

function pairByName<Logged extends PairableCall, Wire extends PairableCall>(
  readName: (call: PairableCall) => string | null,
  logged: readonly Logged[],
  wire: readonly Wire[],
  pairs: Map<Logged, Wire>,
): void {
  const paired = new Set(pairs.values());
  const unpairedLog = logged.filter((call) => !pairs.has(call));
  const unpairedWire = wire.filter((call) => !paired.has(call));
  const groups = Map.groupBy(unpairedWire, (call) => makeKey(call, readName(call)));
  for (const [key, calls] of Map.groupBy(unpairedLog, (call) => makeKey(call, readName(call)))) {
    const wireCalls = groups.get(key);
    if (key !== null && wireCalls) pairInOrder(calls, wireCalls, pairs);
  }
}

function pairById<Logged extends PairableCall, Wire extends PairableCall>(
  logged: readonly Logged[],
  wire: readonly Wire[],
): Map<Logged, Wire> {
  const byId = new Map<string, Wire>();
  for (const call of wire) {
    if (call.callId !== null && !byId.has(call.callId)) byId.set(call.callId, call);
  }
  const pairs = new Map<Logged, Wire>();
  for (const call of logged) {
    const match = call.callId === null ? undefined : byId.get(call.callId);
    if (match) pairs.set(call, match);
  }
  return pairs;
}

function makeKey({ tool, argumentsHash }: PairableCall, name: string | null): string | null {
  if (name === null || tool === null || argumentsHash === null) return null;
  return JSON.stringify([name, tool, argumentsHash]);
}

// Each logged call, oldest first, takes the oldest free wire call within `pairedCallsMsMax`. This order pairs as many
// calls as possible.
function pairInOrder<Logged extends PairableCall, Wire extends PairableCall>(
  logged: readonly Logged[],
  wire: readonly Wire[],
  pairs: Map<Logged, Wire>,
): void {
  const sortedWire = wire.toSorted(compareTimes);
  let next = 0;
  for (const call of logged.toSorted(compareTimes)) {
    while ((sortedWire[next]?.atMs ?? Infinity) < call.atMs - pairedCallsMsMax) next += 1;
    const match = sortedWire[next];
    if (!match || match.atMs > call.atMs + pairedCallsMsMax) continue;
    pairs.set(call, match);
    next += 1;
  }
}

function compareTimes(a: PairableCall, b: PairableCall): number {
  return a.atMs - b.atMs;
}
