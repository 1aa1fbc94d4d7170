import type { Call } from "#calls/call.ts";
import { asItIs } from "#calls/carrier.ts";
import type { Instant } from "#calls/instant.ts";
import type { Closed } from "#calls/transition.ts";
import type { Reader } from "#cost/reader.ts";
import type { AnswerPlace, OurAnswer } from "./refusal.ts";
import { tokensByLength } from "#cost/tokens-by-length.ts";
import { exactCountCharacters } from "#limits/counting.ts";
import { isObject } from "#wire/json.ts";
import { spliceMeta } from "#wire/splice.ts";
import type { Closing } from "#calls/outcome.ts";
import type { Confidence } from "#cost/estimation.ts";
import { describeResult, inputTexts } from "#cost/methods.ts";
import { textOf } from "#cost/clients/text-pieces.ts";
import { readingOf } from "#cost/reading.ts";
import type { Arrival } from "#calls/arrival.ts";
import { countParts, countTexts, emptyListTokens, mediaTokens } from "#cost/price.ts";
import { answerConfidence } from "#cost/reader-estimation.ts";
import type { Visibility } from "#cost/visibility.ts";
import { lower } from "./charge.ts";
import { type Table, tableOf } from "./table.ts";

/** Adds the cost of the client's calls to the results that it gets, the server's and ours. */
export class Annotator {
  readonly #reader: () => Reader;

  constructor(reader: () => Reader) {
    this.#reader = reader;
  }

  /** The line of a server's answer with its cost; undefined for one that is left alone. */
  theirs({ call, closing, answer }: Closed): Uint8Array | undefined {
    if (answer?.carrier !== asItIs || call.from !== "client") return undefined;
    return annotate(call, closing, answer.arrival, this.#reader());
  }

  /** Our answer with its cost; as it is where it is left alone. */
  ours(call: Call, ours: OurAnswer, { arrival, carrier }: AnswerPlace, at: Instant): OurAnswer {
    if (carrier !== asItIs || call.from !== "client" || !("result" in ours)) return ours;
    const priced = { result: ours.result, endedMs: at.monoMs };
    return { result: annotateOwn(call, priced, arrival, this.#reader()) };
  }
}

/** Key of our member in a result's `_meta`. */
const usageKey = "dev.mcp-meter/usage";

/** The member that annotates a result. */
type Usage = {
  readonly tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly method: string;
  readonly confidence: Confidence;
  readonly duration_ms: number;
} & Partial<Table>;

/**
 * The line of an answer with its cost in the result's `_meta`; undefined for an answer that is left
 * alone: of a method without a price, an error, too long to read, or in a batch, which ended with revision
 * 2025-03-26.
 */
function annotate(
  call: Call,
  closing: Closing,
  { line, item, hasPassed }: Arrival,
  reader: Reader,
): Uint8Array | undefined {
  if (!call.asked.isPriced || call.isForPage || closing.result === undefined) return undefined;
  if (!line.bytes || item !== undefined || hasPassed) return undefined;
  if (showsMeta(call, closing.result, reader)) return undefined;
  return spliceMeta(line.bytes, usageKey, usageOf(call, closing, reader));
}

/** A result of our own, shortened or a refusal, with its cost in its `_meta`; unchanged where it is left alone. */
function annotateOwn(
  call: Call,
  { result, endedMs }: { readonly result: unknown; readonly endedMs: number },
  { item }: Pick<Arrival, "item">,
  reader: Reader,
): unknown {
  if (!isObject(result) || item !== undefined || showsMeta(call, result, reader)) return result;
  const { _meta: meta, ...rest } = result;
  const usage = costOf(call, { result, endedMs }, reader);
  return { ...rest, _meta: { ...(isObject(meta) ? meta : {}), [usageKey]: usage } };
}

/** True when the client shows `_meta` of this answer to its model: our member there would cost tokens. */
function showsMeta({ method, asked }: Call, result: unknown, reader: Reader): boolean {
  if (!isObject(result) || result["isError"] !== true) return false;
  const noted = { ...result, _meta: { [usageKey]: true } };
  return textOf(describeResult(method, noted, readingOf(reader, asked)).visible).includes(usageKey);
}

/** The member of a server's result: its cost, and the size of its table if it is one. */
function usageOf(call: Call, closing: Closing, reader: Reader): Usage {
  return { ...costOf(call, closing, reader), ...tableOf(closing.result) };
}

/** The cost of one call, for its result's `_meta`. Long answers are priced by their length. */
function costOf(
  call: Call,
  { result, endedMs }: Pick<Closing, "result" | "endedMs">,
  reader: Reader,
): Usage {
  const visibility = describeResult(call.method, result, readingOf(reader, call.asked));
  const { visible } = visibility;
  const characters = visible.reduce(
    (sum, part) => sum + (part.kind === "text" ? part.text.length : 0),
    0,
  );
  const isLong = characters > exactCountCharacters;
  const output = isLong
    ? tokensByLength(characters)
    : emptyListTokens(visible, reader) + countParts(visible, reader);
  const input = countTexts(inputTexts(call.asked, reader.estimator), reader);
  const { method } = reader.estimator;
  return {
    tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    method: isLong ? "characters" : method,
    confidence: isLong ? "low" : confidenceOf(visibility, reader),
    duration_ms: Math.round(endedMs - call.startedMs),
  };
}

/** As the record of the call has it: a text may be exact, a frame or a picture is not. */
function confidenceOf(visibility: Visibility, reader: Reader): Confidence {
  const { estimator } = reader;
  let { confidence } = estimator;
  for (const part of estimator.content ? [] : visibility.visible) {
    if (part.kind === "text") continue;
    confidence = lower(confidence, mediaTokens(part, reader).confidence);
  }
  return answerConfidence(confidence, reader, visibility);
}
