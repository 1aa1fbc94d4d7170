import { pricedMethods } from "../client-model.ts";
import { at, isClear, linesOf, ownLine, readMessages } from "../reading.ts";
import { endedInOrder, excerpt, type Oracle, type Transcript } from "../transcript.ts";

/**
 * Bytes of the client: every line arrives as it is, in order. Under a budget, calls may be missing, and each
 * call with an id that is missing has exactly one refusal with the id as the client wrote it; a line that is not exactly one message
 * for all readers does not arrive.
 */
export const upward: Oracle = (transcript) => {
  const { set, clientSent, serverGot } = transcript;
  if (!set.isGating) return exact(transcript, clientSent, serverGot);
  const { missing, faults } = align(transcript);
  if (faults.length > 0) return faults;
  return hasWord(transcript) ? unrefused(transcript, missing) : [];
};

function hasWord(transcript: Transcript): boolean {
  const isClosed = transcript.set.isDelaying && transcript.ending.kind === "half-close";
  return endedInOrder(transcript) && !isClosed;
}

function exact(transcript: Transcript, sent: Uint8Array, got: Uint8Array): readonly string[] {
  const [whole, arrived] = [Buffer.from(sent), Buffer.from(got)];
  const isWhole = endedInOrder(transcript);
  if (isWhole ? whole.equals(arrived) : whole.subarray(0, arrived.length).equals(arrived))
    return [];
  let same = 0;
  while (same < arrived.length && whole[same] === arrived[same]) same += 1;
  return [
    `byte ${same} of ${sent.length} of the client: sent ${excerpt(sent.subarray(same))}, arrived ${excerpt(got.subarray(same))}`,
  ];
}

type Aligned = { readonly missing: readonly Missing[]; readonly faults: readonly string[] };

type Missing = {
  readonly line: Buffer;
  readonly hasId: boolean;
  readonly id: unknown;
  /** True where it may be no call for mcp-meter, and has no refusal of one then. */
  readonly isOptional: boolean;
};

function align(transcript: Transcript): Aligned {
  const sent = linesOf(transcript.clientSent).filter((line) => isClear(line, "client") !== false);
  const got = [...linesOf(transcript.serverGot)];
  const missing: Missing[] = [];
  const later: Buffer[] = [];
  for (const line of sent) {
    if (got[0]?.equals(line) !== true) dropDelayed(got, later);
    const next = got[0];
    if (next?.equals(line) === true) {
      got.shift();
      continue;
    }
    const lost = missingOf(line, next);
    if (lost === undefined) {
      if (next === undefined && !endedInOrder(transcript)) continue;
      return {
        missing,
        faults: [`sent ${excerpt(line)}, arrived ${excerpt(next ?? Buffer.alloc(0))}`],
      };
    }
    if (lost.isPartOfNext) got.shift();
    if (transcript.set.isDelaying) later.push(line);
    missing.push(...lost.missing);
  }
  return {
    missing: notDelayed(missing, got, transcript),
    faults: strangers(got, sent, transcript),
  };
}

function missingOf(
  line: Buffer,
  next: Buffer | undefined,
): { readonly missing: readonly Missing[]; readonly isPartOfNext: boolean } | undefined {
  const messages = readMessages(line).filter(({ method }) => pricedMethods.has(method));
  const isOptional = isClear(line, "client") === undefined;
  if (messages.length === 0) return isOptional ? { missing: [], isPartOfNext: false } : undefined;
  const all = messages.map(({ kind, id }) => ({ line, hasId: kind === "request", id, isOptional }));
  if (!isBatch(line) || next === undefined) return { missing: all, isPartOfNext: false };
  const rest = readMessages(next);
  const isPart = rest.length > 0 && next[0] === 0x5b && rest.every((one) => isIn(one.params, line));
  if (!isPart) return { missing: all, isPartOfNext: false };
  return {
    missing: all.filter(({ id }) => !rest.some((one) => one.id === id)),
    isPartOfNext: true,
  };
}

function isIn(params: unknown, line: Buffer): boolean {
  return line.includes(JSON.stringify(params));
}

function dropDelayed(got: Buffer[], later: Buffer[]): void {
  for (;;) {
    const index = later.findIndex((line) => isFrom(got[0], line));
    if (index < 0) return;
    if (!isBatch(later[index])) later.splice(index, 1);
    got.shift();
  }
}

function isFrom(one: Buffer | undefined, line: Buffer): boolean {
  if (one === undefined || one.equals(line)) return one !== undefined;
  const text = one.toString().trim();
  return isBatch(line) && text.startsWith("{") && line.includes(text);
}

function isBatch(line: Buffer | undefined): boolean {
  return line?.toString().trimStart().startsWith("[") === true;
}

function notDelayed(
  missing: readonly Missing[],
  rest: readonly Buffer[],
  { set, serverGot }: Transcript,
): readonly Missing[] {
  if (!set.isDelaying) return missing;
  const arrived = [...linesOf(serverGot), ...rest];
  return missing.filter(({ line, id }) => !arrived.some((one) => isCallFrom(one, line, id)));
}

function isCallFrom(one: Buffer, line: Buffer, id: unknown): boolean {
  return isFrom(one, line) && readMessages(one).some((message) => message.id === id);
}

function strangers(
  rest: readonly Buffer[],
  sent: readonly Buffer[],
  { set }: Transcript,
): string[] {
  const strange = rest.filter((line) => !set.isDelaying || !sent.some((one) => isFrom(line, one)));
  return strange.slice(0, 1).map((line) => `arrived out of order or unsent: ${excerpt(line)}`);
}

function unrefused(transcript: Transcript, missing: readonly Missing[]): readonly string[] {
  const refusals = linesOf(transcript.clientGot)
    .map(ownLine)
    .flatMap((own) => (own?.kind === "unrun" ? [own.rawId ?? ""] : []));
  const faults: string[] = [];
  const cancelled = transcript.set.isDelaying ? cancelledIds(transcript) : new Set();
  for (const { line, hasId, id, isOptional } of missing) {
    if (!hasId) continue;
    const index = refusals.findIndex((rawId) => isSameId(rawId, id) && line.includes(rawId));
    // A request that waits and is cancelled wants no answer.
    if (index < 0 && (isOptional || cancelled.has(id))) continue;
    if (index < 0) faults.push(`neither forwarded nor refused: ${excerpt(line)}`);
    else refusals.splice(index, 1);
  }
  return [
    ...faults,
    ...refusals.map((rawId) => `refused, though no such request is missing: id ${rawId}`),
  ];
}

function cancelledIds({ clientSent }: Transcript): ReadonlySet<unknown> {
  const cancellations = linesOf(clientSent)
    .flatMap(readMessages)
    .filter(({ method }) => method === "notifications/cancelled");
  return new Set(cancellations.map(({ params }) => at(params, "requestId")));
}

function isSameId(rawId: string, id: unknown): boolean {
  try {
    return JSON.parse(rawId) === id;
  } catch {
    return false;
  }
}
