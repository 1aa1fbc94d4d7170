// A log is written when an answer is whole.
export const pairedCallsMsMax = 10_000;

export type PairableCall = {
  readonly callId: string | null;
  readonly server: string;
  /** By a name that both sides have; null if unknown. */
  readonly client: string | null;
  readonly tool: string | null;
  readonly argumentsHash: string | null;
  readonly atMs: number;
};

/**
 * Pairs by the client's own id, or by server, tool, arguments and a time within ten seconds, if no other call on
 * either side fits. A wire call with another id is another call. Then by client instead of server: a client may name
 * a server differently.
 */
export function pairCalls<Logged extends PairableCall, Wire extends PairableCall>(
  logged: readonly Logged[],
  wire: readonly Wire[],
): ReadonlyMap<Logged, Wire> {
  const pairs = pairsById(logged, wire);
  const paired = new Set(pairs.values());
  const withoutId = wire.filter((call) => call.callId === null && !paired.has(call));
  addPairsBy(({ server }) => server, logged, withoutId, pairs);
  addPairsBy(({ client }) => client, logged, withoutId, pairs);
  return pairs;
}

function addPairsBy<Logged extends PairableCall, Wire extends PairableCall>(
  nameOf: (call: PairableCall) => string | null,
  logged: readonly Logged[],
  wire: readonly Wire[],
  pairs: Map<Logged, Wire>,
): void {
  const paired = new Set(pairs.values());
  const restOfLog = logged.filter((call) => !pairs.has(call));
  const restOfWire = wire.filter((call) => !paired.has(call));
  const groups = Map.groupBy(restOfWire, (call) => keyOf(call, nameOf(call)));
  for (const [key, calls] of Map.groupBy(restOfLog, (call) => keyOf(call, nameOf(call)))) {
    const others = groups.get(key);
    if (key !== null && others) addUniquePairs(calls, others, pairs);
  }
}

function pairsById<Logged extends PairableCall, Wire extends PairableCall>(
  logged: readonly Logged[],
  wire: readonly Wire[],
): Map<Logged, Wire> {
  const byId = new Map<string, Wire>();
  for (const call of wire) {
    if (call.callId !== null && !byId.has(call.callId)) byId.set(call.callId, call);
  }
  const pairs = new Map<Logged, Wire>();
  for (const call of logged) {
    const found = call.callId === null ? undefined : byId.get(call.callId);
    if (found) pairs.set(call, found);
  }
  return pairs;
}

function keyOf({ tool, argumentsHash }: PairableCall, name: string | null): string | null {
  if (name === null || tool === null || argumentsHash === null) return null;
  return JSON.stringify([name, tool, argumentsHash]);
}

function addUniquePairs<Logged extends PairableCall, Wire extends PairableCall>(
  logged: readonly Logged[],
  wire: readonly Wire[],
  pairs: Map<Logged, Wire>,
): void {
  const sortedLog = logged.toSorted(byTime);
  const sortedWire = wire.toSorted(byTime);
  const nearLog = nearest(sortedLog, sortedWire);
  const nearWire = nearest(sortedWire, sortedLog);
  for (const [call, near] of nearLog) {
    if (near && nearWire.get(near) === call) pairs.set(call, near);
  }
}

function byTime(one: PairableCall, other: PairableCall): number {
  return one.atMs - other.atMs;
}

/** Within ten seconds; undefined where there are several or none. Both are sorted. */
function nearest<One extends PairableCall, Other extends PairableCall>(
  calls: readonly One[],
  others: readonly Other[],
): ReadonlyMap<One, Other | undefined> {
  const found = new Map<One, Other | undefined>();
  let from = 0;
  for (const call of calls) {
    while ((others[from]?.atMs ?? Infinity) < call.atMs - pairedCallsMsMax) from += 1;
    const [first, second] = [others[from], others[from + 1]];
    const isNear = first !== undefined && first.atMs <= call.atMs + pairedCallsMsMax;
    const isOnly = second === undefined || second.atMs > call.atMs + pairedCallsMsMax;
    found.set(call, isNear && isOnly ? first : undefined);
  }
  return found;
}
