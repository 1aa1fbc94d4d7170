import { exactCountCharacters } from "#limits.ts";
import type { Call } from "#calls/call.ts";
import { mediaTokens, countParts, countTexts } from "#cost/price.ts";
import type { Reader } from "#cost/reader.ts";
import type { Part } from "#cost/part.ts";
import type { Account } from "./accounts.ts";
import type { Price } from "./decision.ts";

/** The properties of an answer that are known before it is counted. */
export type Answer = {
  /** The parts that the model reads; undefined when the line was too long to parse. */
  readonly visible: readonly Part[] | undefined;
  /** Bytes of its line: no text in it can cost more than these allow. */
  readonly bytes: number;
};

/** Tokens of a request; of one that could not be read the most that its bytes allow. */
export function requestPrice(call: Call, limit: number, reader: Reader): Price {
  if (call.truncated) return { tokens: bytesBound(call.readChunks, reader), sureness: "at most" };
  const { input } = call.asked;
  const enough = enoughFor(charactersOf(input), limit);
  const tokens = countTexts(input, reader, enough);
  return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
}

/** The most that an answer of that many bytes can cost: its media, and one text as long as its line. */
export function answerBound({ bytes, visible }: Answer, reader: Reader): number {
  const media = (visible ?? []).reduce(
    (sum, part) => sum + (part.kind === "text" ? 0 : mediaTokens(part, reader).tokens),
    0,
  );
  return bytesBound(bytes, reader) + media;
}

/** Tokens of an answer: the exact number of a short one, for a long one only whether it exceeds the limit. */
export function answerPrice(answer: Answer, limit: number, reader: Reader): Price {
  const { visible } = answer;
  if (!visible) return { tokens: answerBound(answer, reader), sureness: "at most" };
  const texts = visible.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const enough = enoughFor(charactersOf(texts), limit);
  const tokens = countParts(visible, reader, enough);
  return { tokens, sureness: tokens > enough ? "at least" : "exactly" };
}

function bytesBound(bytes: number, { estimator }: Reader): number {
  return Math.ceil(bytes * estimator.tokensPerByteMax);
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
