import { exactCountCharacters } from "#kit/limits.ts";
import type { Call } from "../calls/call.ts";
import { inputTexts } from "#tokens/cost/methods.ts";
import {
  boundCeiling,
  type Ceiling,
  ceilingCharacters,
  countCeiling,
} from "#tokens/cost/ceiling.ts";
import { readingBytesBeside, readingBytesPerByte } from "#tokens/cost/clients/unknown.ts";
import { countParts, countTexts } from "#tokens/cost/price.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { Account } from "./accounts.ts";
import type { Price } from "./decision.ts";

export type Answer = {
  /** All that the model may read; undefined when the line was too long to parse. */
  readonly ceiling: Ceiling | undefined;
  readonly isMost: boolean;
  readonly bytes: number;
};

export function requestPrice(call: Call, limit: number, reader: Reader): Price {
  if (call.truncated) return { tokens: bytesBound(call.readChunks, reader), sureness: "at most" };
  const { media = [] } = call.asked;
  const input = inputTexts(call.asked, reader.estimator);
  const enough = enoughFor(charactersOf(input), limit);
  const tokens = countTexts(input, reader, enough) + countParts(media, reader);
  return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
}

/**
 * The most that an answer can cost: one token per byte of its texts, by the estimator's own bound, and its media. The
 * texts count as the model reads them, because a number such as 1e20 grows when it is written again.
 */
export function answerBound({ bytes, ceiling }: Omit<Answer, "isMost">, reader: Reader): number {
  if (ceiling) return boundCeiling(ceiling, reader);
  return reader.profile.isUnknown ? lineCeiling(bytes, reader) : bytesBound(bytes, reader);
}

export function answerPrice(answer: Answer, limit: number, reader: Reader): Price {
  const { ceiling, isMost } = answer;
  const bound = (): Price => ({ tokens: answerBound(answer, reader), sureness: "at most" });
  if (!ceiling) return bound();
  const enough = enoughFor(ceilingCharacters(ceiling), limit);
  const tokens = countCeiling(ceiling, reader, enough);
  if (!isMost) return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
  return tokens > enough ? bound() : { tokens, sureness: "at most" };
}

/** The most that an answer without media, in a line of that many bytes, can cost an unknown client. */
export function lineCeiling(bytes: number, { estimator }: Reader): number {
  const most = bytes * readingBytesPerByte + readingBytesBeside;
  return Math.ceil(most * estimator.tokensPerTextByteMax);
}

/** The most that the texts in that many bytes of JSON can cost. */
function bytesBound(bytes: number, { estimator }: Reader): number {
  return Math.ceil(bytes * estimator.tokensPerLineByteMax);
}

function enoughFor(characters: number, limit: number): number {
  return characters <= exactCountCharacters ? Infinity : limit;
}

function charactersOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Above this nothing needs to be counted: every budget of tokens is exceeded. */
export function largestLimit(accounts: readonly Account[]): number {
  const limits = accounts.map(({ budget }) => (budget.unit === "tokens" ? budget.limit : 0));
  return Math.max(0, ...limits);
}
