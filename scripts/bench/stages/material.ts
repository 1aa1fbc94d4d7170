/** The traffic as each stage leaves it, so that the next one can be measured alone. */
import type { Arrival } from "#calls/arrival.ts";
import { Tracker } from "#calls/tracker.ts";
import type { Closed } from "#calls/transition.ts";
import { readerFor } from "#commands/reader.ts";
import { createDefinitionPrices } from "#cost/definition-prices.ts";
import type { Reader } from "#cost/reader.ts";
import { riskThresholdsDefault } from "#cost/risk.ts";
import { sha256 } from "#os/sha256.ts";
import type { MeterRecord } from "#records/record.ts";
import { type CallDraftDeps, draftCall } from "#session/call-draft.ts";
import type { Draft } from "#session/draft.ts";
import type { MeterEvent } from "#session/event.ts";
import { Meter } from "#session/meter.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import type { SingleMessage } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import type { Side } from "#wire/side.ts";
import { initializeAnswer, initializeLine, linePrefix } from "../messages.ts";
import type { SentChunk } from "./traffic.ts";

/** The settings of all drafts: those of a user without options. */
const draftDeps: CallDraftDeps = { risk: riskThresholdsDefault, hash: sha256 };

/** The reader of a client that has no profile. */
export function newReader(): Reader {
  const plain = { tokenizer: "auto", model: undefined, client: undefined } as const;
  return readerFor({ ...plain, windowTokens: undefined })("bench");
}

/** A line and its sender. */
export type SentLine = { readonly from: Side; readonly line: Line };

/** The lines of some traffic. */
export function linesOf(chunks: readonly SentChunk[]): readonly SentLine[] {
  const splitters = { client: new LineSplitter(), server: new LineSplitter() };
  return chunks.flatMap(({ from, bytes }) =>
    splitters[from].push(bytes).map((line) => ({ from, line })),
  );
}

/** A message and its place. */
export type Arrived = { readonly message: SingleMessage; readonly arrival: Arrival };

/** Its messages. Throws when there is a batch, which these bursts do not have. */
export function messagesOf(chunks: readonly SentChunk[]): readonly Arrived[] {
  return linesOf(chunks).map(({ from, line }, at) => {
    const message = parseMessage(line);
    if (message.kind === "batch") throw new Error("A burst of small calls has a batch");
    const arrival = { from, line, item: undefined, size: line.size, hasPassed: true, atMs: at };
    return { message, arrival };
  });
}

/** Pairs messages; returns the calls that ended. */
export function pair(messages: readonly Arrived[]): readonly Closed[] {
  const tracker = new Tracker(sha256);
  const closed: Closed[] = [];
  for (const { message, arrival } of messages) {
    for (const transition of tracker.take(message, arrival)) {
      if (transition.kind === "requested") tracker.open(transition.call, arrival.atMs);
      if (transition.kind === "closed") closed.push(transition);
    }
  }
  return closed;
}

/** Drafts calls that ended. */
export function draftAll(closed: readonly Closed[], reader: Reader): readonly Draft[] {
  return closed.map(({ call, closing }) => draftCall(call, closing, reader, draftDeps));
}

/** A meter after its handshake. */
export function openMeter(): Meter {
  const reader = newReader();
  const meter = new Meter({
    ...draftDeps,
    version: "0",
    sessionId: "187b9374-07bd-49ff-82c6-d6910a410d40",
    command: "bench",
    serverLabel: undefined,
    serverLabelFallback: "bench",
    readerFor: () => reader,
    prices: createDefinitionPrices(),
  });
  const handshake = [
    { from: "client", bytes: Buffer.from(initializeLine(0)) },
    { from: "server", bytes: Buffer.from(`${linePrefix}0${initializeAnswer(1)}`) },
  ] as const;
  for (const sent of linesOf(handshake)) meter.judge(eventOf(sent));
  return meter;
}

/** The event of a line that has passed. */
export function eventOf({ from, line }: SentLine): MeterEvent {
  return {
    kind: "line",
    from,
    line,
    hasPassed: true,
    at: { monoMs: 1, wallMs: 1_795_000_000_000 },
  };
}

/** The records of its calls. */
export function recordsOf(chunks: readonly SentChunk[]): readonly MeterRecord[] {
  const meter = openMeter();
  const records = linesOf(chunks).flatMap((sent) => meter.judge(eventOf(sent)).records);
  return records.filter(({ type }) => type === "call");
}
