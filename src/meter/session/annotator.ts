import {
  type Call,
  type Instant,
  type Closing,
  plainCarrier,
  type Arrival,
  type Closed,
} from "../calls/call.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { AnswerTarget, OurAnswer } from "../actions/refusal.ts";
import { estimateByLength, type Confidence } from "#tokens/cost/estimator.ts";
import { isObject } from "#wire/json.ts";
import { spliceMeta } from "#wire/edit-line-bytes.ts";
import {
  addCosts,
  priceCall,
  type CostRange,
  noCost,
  type PriceBook,
} from "#records/money/price-book.ts";
import { describeResult, listInputTexts } from "#tokens/cost/describe-calls.ts";
import { type DataShape, detectShape } from "#tokens/cost/data-shape.ts";
import { joinText } from "#tokens/cost/client-profiles/common.ts";
import {
  makeAnswerContext,
  rateAnswerConfidence,
  type Visibility,
} from "#tokens/cost/visibility.ts";
import { countParts, countTexts, countEmptyList, estimateMedia } from "#tokens/cost/count-parts.ts";
import { pickLowerConfidence } from "./charge.ts";
import { exactCountCharactersMax } from "../budgets/request-decision.ts";

export class Annotator {
  readonly #reader: () => Reader;
  readonly #prices: PriceBook | undefined;

  constructor(reader: () => Reader, prices?: PriceBook) {
    this.#reader = reader;
    this.#prices = prices;
  }

  annotateServerAnswer({ call, closing, answer }: Closed, at: Instant): Uint8Array | undefined {
    if (answer?.carrier !== plainCarrier || call.from !== "client") return undefined;
    const reader = this.#reader();
    const { line } = answer.arrival;
    if (!line.bytes || !mayAnnotate(call, closing, answer.arrival, reader)) return undefined;
    const shape = detectShape(closing.result, call.request.rowLimit);
    return spliceMeta(line.bytes, usageKey, { ...this.#makeUsage(call, closing, at), ...shape });
  }

  annotateOurAnswer(
    call: Call,
    answer: OurAnswer,
    { arrival, carrier }: AnswerTarget,
    at: Instant,
  ): OurAnswer {
    if (carrier !== plainCarrier || call.from !== "client" || !("result" in answer)) return answer;
    const { result } = answer;
    if (!isObject(result) || arrival.item !== undefined) return answer;
    if (showsMeta(call, result, this.#reader())) return answer;
    const { _meta: meta, ...rest } = result;
    const usage = this.#makeUsage(call, { result, endedMs: at.monoMs }, at);
    return { result: { ...rest, _meta: { ...(isObject(meta) ? meta : {}), [usageKey]: usage } } };
  }

  #makeUsage(call: Call, ended: Pick<Closing, "result" | "endedMs">, { wallMs }: Instant): Usage {
    const reader = this.#reader();
    const usage = measureUsage(call, ended, reader);
    const model = call.request.caller.model ?? reader.model;
    if (!this.#prices || model === null) return usage;
    const prices = this.#prices.find(model, new Date(wallMs).toISOString());
    const { input_tokens: argumentTokens, output_tokens: answerTokens } = usage;
    if (!prices) return usage;
    return {
      ...usage,
      cost_usd: addCosts(noCost, priceCall({ argumentTokens, answerTokens }, prices)),
    };
  }
}

const usageKey = "dev.mcp-meter/usage";

type Usage = {
  readonly tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly method: string;
  readonly confidence: Confidence;
  readonly duration_ms: number;
  readonly cost_usd?: CostRange;
} & DataShape;

// Answers in a batch are not annotated. Only revision 2025-03-26 has batches.
function mayAnnotate(
  call: Call,
  { result }: Closing,
  { item, hasPassed }: Arrival,
  reader: Reader,
): boolean {
  if (!call.request.isCall || call.isForApp || result === undefined) return false;
  return item === undefined && !hasPassed && !showsMeta(call, result, reader);
}

// True if the client shows the `_meta` of this answer to its model. Our usage data in it would then cost tokens.
function showsMeta({ method, request }: Call, result: unknown, reader: Reader): boolean {
  if (!isObject(result)) return false;
  if (method === "tools/call" && reader.profile.showsMeta === true) return true;
  if (result["isError"] !== true) return false;
  const annotated = { ...result, _meta: { [usageKey]: true } };
  return joinText(
    describeResult(method, annotated, makeAnswerContext(reader, request)).visible,
  ).includes(usageKey);
}

// Estimates the tokens of a long answer from its length, because an exact count would delay the answer.
function measureUsage(
  call: Call,
  { result, endedMs }: Pick<Closing, "result" | "endedMs">,
  reader: Reader,
): Usage {
  const visibility = describeResult(call.method, result, makeAnswerContext(reader, call.request));
  const { visible } = visibility;
  const characters = visible.reduce(
    (sum, part) => sum + (part.kind === "text" ? part.text.length : 0),
    0,
  );
  const isLong = characters > exactCountCharactersMax;
  const output = isLong
    ? estimateByLength(characters)
    : countEmptyList(visible, reader) + countParts(visible, reader);
  const input = countTexts(listInputTexts(call.request, reader.estimator), reader);
  const { method } = reader.estimator;
  return {
    tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    method: isLong ? "characters" : method,
    confidence: isLong ? "low" : rateConfidence(visibility, reader),
    duration_ms: Math.round(endedMs - call.startedMs),
  };
}

function rateConfidence(visibility: Visibility, reader: Reader): Confidence {
  const { estimator } = reader;
  let { confidence } = estimator;
  for (const part of estimator.countContent ? [] : visibility.visible) {
    if (part.kind === "text") continue;
    confidence = pickLowerConfidence(confidence, estimateMedia(part, reader).confidence);
  }
  return rateAnswerConfidence(confidence, visibility);
}
