import { pricedMethods } from "../client-model.ts";
import { at, isClear, splitLines, readOwnLine, readMessages } from "../reading.ts";
import { hasEndedInOrder, formatExcerpt, type Oracle, type Transcript } from "../transcript.ts";

/**
 * Every line of the client arrives unchanged and in order. With a budget, calls may be missing, and each missing call
 * with an id has exactly one refusal, with the id as the client wrote it. A line that different readers would
 * understand differently does not arrive.
 */
export const upward: Oracle = (transcript) => {
  const { set, clientSent, serverGot } = transcript;
  if (!set.isGating) return compareExactly(transcript, clientSent, serverGot);
  const { missing, faults } = align(transcript);
  if (faults.length > 0) return faults;
  return expectsRefusals(transcript) ? findUnrefused(transcript, missing) : [];
};

function expectsRefusals(transcript: Transcript): boolean {
  const isClosed = transcript.set.isDelaying && transcript.ending.kind === "half-close";
  return hasEndedInOrder(transcript) && !isClosed;
}

function compareExactly(
  transcript: Transcript,
  sent: Uint8Array,
  got: Uint8Array,
): readonly string[] {
  const [whole, arrived] = [Buffer.from(sent), Buffer.from(got)];
  const isWhole = hasEndedInOrder(transcript);
  if (isWhole ? whole.equals(arrived) : whole.subarray(0, arrived.length).equals(arrived))
    return [];
  let same = 0;
  while (same < arrived.length && whole[same] === arrived[same]) same += 1;
  return [
    `byte ${same} of ${sent.length} of the client: sent ${formatExcerpt(sent.subarray(same))}, arrived ${formatExcerpt(got.subarray(same))}`,
  ];
}

type Aligned = { readonly missing: readonly Missing[]; readonly faults: readonly string[] };

type Missing = {
  readonly line: Buffer;
  readonly hasId: boolean;
  readonly id: unknown;
  /** True if mcp-meter may not read it as a call, and then sends no refusal. */
  readonly isOptional: boolean;
};

function align(transcript: Transcript): Aligned {
  const sent = splitLines(transcript.clientSent).filter(
    (line) => isClear(line, "client") !== false,
  );
  const got = [...splitLines(transcript.serverGot)];
  const missing: Missing[] = [];
  const later: Buffer[] = [];
  for (const line of sent) {
    if (got[0]?.equals(line) !== true) dropDelayed(got, later);
    const next = got[0];
    if (next?.equals(line) === true) {
      got.shift();
      continue;
    }
    const lost = findMissing(line, next);
    if (lost === undefined) {
      if (next === undefined && !hasEndedInOrder(transcript)) continue;
      return {
        missing,
        faults: [`sent ${formatExcerpt(line)}, arrived ${formatExcerpt(next ?? Buffer.alloc(0))}`],
      };
    }
    if (lost.isPartOfNext) got.shift();
    if (transcript.set.isDelaying) later.push(line);
    missing.push(...lost.missing);
  }
  return {
    missing: dropArrivedLater(missing, got, transcript),
    faults: findStrangers(got, sent, transcript),
  };
}

function findMissing(
  line: Buffer,
  next: Buffer | undefined,
): { readonly missing: readonly Missing[]; readonly isPartOfNext: boolean } | undefined {
  const messages = readMessages(line).filter(({ method }) => pricedMethods.has(method));
  const isOptional = isClear(line, "client") === undefined;
  if (messages.length === 0) return isOptional ? { missing: [], isPartOfNext: false } : undefined;
  const all = messages.map(({ kind, id }) => ({ line, hasId: kind === "request", id, isOptional }));
  if (!isBatch(line) || next === undefined) return { missing: all, isPartOfNext: false };
  const rest = readMessages(next);
  const isPart =
    rest.length > 0 && next[0] === 0x5b && rest.every(({ params }) => containsParams(params, line));
  if (!isPart) return { missing: all, isPartOfNext: false };
  return {
    missing: all.filter(({ id }) => !rest.some((message) => message.id === id)),
    isPartOfNext: true,
  };
}

function containsParams(params: unknown, line: Buffer): boolean {
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

function isFrom(arrived: Buffer | undefined, line: Buffer): boolean {
  if (arrived === undefined || arrived.equals(line)) return arrived !== undefined;
  const text = arrived.toString().trim();
  return isBatch(line) && text.startsWith("{") && line.includes(text);
}

function isBatch(line: Buffer | undefined): boolean {
  return line?.toString().trimStart().startsWith("[") === true;
}

function dropArrivedLater(
  missing: readonly Missing[],
  rest: readonly Buffer[],
  { set, serverGot }: Transcript,
): readonly Missing[] {
  if (!set.isDelaying) return missing;
  const arrived = [...splitLines(serverGot), ...rest];
  return missing.filter(
    ({ line, id }) => !arrived.some((candidate) => isCallFrom(candidate, line, id)),
  );
}

function isCallFrom(arrived: Buffer, line: Buffer, id: unknown): boolean {
  return isFrom(arrived, line) && readMessages(arrived).some((message) => message.id === id);
}

function findStrangers(
  rest: readonly Buffer[],
  sent: readonly Buffer[],
  { set }: Transcript,
): string[] {
  const strange = rest.filter(
    (line) => !set.isDelaying || !sent.some((sentLine) => isFrom(line, sentLine)),
  );
  return strange
    .slice(0, 1)
    .map((line) => `arrived out of order or unsent: ${formatExcerpt(line)}`);
}

function findUnrefused(transcript: Transcript, missing: readonly Missing[]): readonly string[] {
  const refusals = splitLines(transcript.clientGot)
    .map(readOwnLine)
    .flatMap((own) => (own?.kind === "unrun" ? [own.rawId ?? ""] : []));
  const faults: string[] = [];
  const cancelled = transcript.set.isDelaying ? listCancelledIds(transcript) : new Set();
  for (const { line, hasId, id, isOptional } of missing) {
    if (!hasId) continue;
    const index = refusals.findIndex((rawId) => isSameId(rawId, id) && line.includes(rawId));
    // A request that is cancelled while it waits gets no answer.
    if (index < 0 && (isOptional || cancelled.has(id))) continue;
    if (index < 0) faults.push(`neither forwarded nor refused: ${formatExcerpt(line)}`);
    else refusals.splice(index, 1);
  }
  return [
    ...faults,
    ...refusals.map((rawId) => `refused, though no such request is missing: id ${rawId}`),
  ];
}

function listCancelledIds({ clientSent }: Transcript): ReadonlySet<unknown> {
  const cancellations = splitLines(clientSent)
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
