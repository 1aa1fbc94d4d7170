import { audioTokens } from "./audio.ts";
import type { Confidence } from "./estimation.ts";
import { imageTokens } from "./image.ts";
import type { Reader } from "./reader.ts";
import { type Part, describeToolResult } from "./visibility.ts";

/** Tokens of an image or a sound for a reader, and how sure they are. */
export function mediaTokens(
  part: Exclude<Part, { kind: "text" }>,
  { family }: Reader,
): { readonly tokens: number; readonly confidence: Confidence } {
  return part.kind === "image"
    ? imageTokens(family.image, part.size)
    : audioTokens(family.audioTokensPerSecond, part);
}

/** The content blocks that parts were made of, each once. */
export function contentBlocks(parts: readonly Part[]): Set<unknown> {
  return new Set(parts.map((part) => part.block).filter((block) => block !== undefined));
}

/** Tokens of texts; stops when they are more than `enough` and returns a number above it. */
export function countTexts(texts: readonly string[], reader: Reader, enough = Infinity): number {
  let tokens = 0;
  for (const text of texts) {
    tokens += tokensOfText(text, reader, enough - tokens);
    if (tokens > enough) break;
  }
  return tokens;
}

/** Tokens of parts, counted now; stops when they are more than `enough` and returns a number above it. */
export function countParts(parts: readonly Part[], reader: Reader, enough = Infinity): number {
  const { estimator } = reader;
  const whole = estimator.content ? contentBlocks(parts) : new Set();
  let tokens = whole.size > 0 ? (estimator.content?.([...whole]) ?? 0) : 0;
  for (const part of parts) {
    if (tokens > enough) break;
    if (whole.has(part.block)) continue;
    tokens +=
      part.kind === "text"
        ? tokensOfText(part.text, reader, enough - tokens)
        : mediaTokens(part, reader).tokens;
  }
  return tokens;
}

/** Tokens of what the model sees of a `tools/call` result. */
export function countResult(result: unknown, reader: Reader, enough = Infinity): number {
  return countParts(describeToolResult(result, reader.profile).visible, reader, enough);
}

function tokensOfText(text: string, { estimator }: Reader, enough: number): number {
  if (enough === Infinity || !estimator.within) return estimator.count(text);
  return estimator.within(text, Math.max(0, enough)) ?? enough + 1;
}
