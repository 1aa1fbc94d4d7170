import { exactCountCharacters } from "#limits/counting.ts";
import type { Call } from "#calls/call.ts";
import { inputTexts } from "#cost/methods.ts";
import {
  contentBlocks,
  countParts,
  countTexts,
  emptyListTokens,
  mediaTokens,
} from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import type { Part } from "#cost/part.ts";
import type { Account } from "./accounts.ts";
import type { Price } from "./decision.ts";

/** The properties of an answer that are known before it is counted. */
export type Answer = {
  /** The parts that the model reads; undefined when the line was too long to parse. */
  readonly visible: readonly Part[] | undefined;
  /** True when it is not known which of them the model reads. */
  readonly isMost: boolean;
  /** Bytes of its line. */
  readonly bytes: number;
};

/** Tokens of a request; of one that could not be read the most that its bytes allow. */
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
export function answerBound({ bytes, visible }: Omit<Answer, "isMost">, reader: Reader): number {
  if (!visible) return bytesBound(bytes, reader);
  const { estimator } = reader;
  const whole = estimator.content ? contentBlocks(visible) : new Set();
  let most =
    whole.size > 0 ? (estimator.content?.([...whole]) ?? 0) : emptyListTokens(visible, reader);
  for (const part of visible) {
    if (whole.has(part.block)) continue;
    most +=
      part.kind === "text"
        ? Math.ceil(Buffer.byteLength(part.text) * estimator.tokensPerTextByteMax)
        : mediaTokens(part, reader).tokens;
  }
  return most;
}

/** Tokens of an answer: the exact number of a short one, for a long one only whether it exceeds the limit. */
export function answerPrice(answer: Answer, limit: number, reader: Reader): Price {
  const { visible, isMost } = answer;
  const bound = (): Price => ({ tokens: answerBound(answer, reader), sureness: "at most" });
  if (!visible) return bound();
  const texts = visible.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const enough = enoughFor(charactersOf(texts), limit);
  const tokens = emptyListTokens(visible, reader) + countParts(visible, reader, enough);
  if (!isMost) return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
  return tokens > enough ? bound() : { tokens, sureness: "at most" };
}

/** The most that the texts in that many bytes of JSON can cost. */
export function bytesBound(bytes: number, { estimator }: Reader): number {
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
