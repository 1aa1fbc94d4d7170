import { rememberedCharactersMax, rememberedTextsMax } from "#limits.ts";
import { decodePart } from "./parts.ts";
import type { TokenCounter, Estimator } from "#cost/estimator.ts";
import type { Encoding } from "#tokenizer/tokenizer.ts";

/** What estimators need from the world: a tokenizer, built when a text is first counted. */
export type EstimatorDeps = {
  /** Cheap to call again: returns the same tokenizer for the same encoding. */
  tokenizer(encoding: Encoding): TokenCounter;
};

/** Counts with a real vocabulary, exactly; the confidence is for models of unknown make. */
export function byVocabulary(id: string, encoding: Encoding, deps: EstimatorDeps): Estimator {
  const counter = once(() => deps.tokenizer(encoding));
  return {
    id,
    method: "bpe",
    encoding,
    confidence: "medium",
    error: `exact for models that use ${encoding}, else unknown`,
    tokensPerByteMax: 1,
    count: remembered((text) => counter().count(text)),
    begin: (text) => counter().begin?.(text) ?? atOnce(() => counter().count(text)),
    within: (text, limit) => countWithin(counter(), text, limit),
    parts: { units: (utf8) => countPart(counter(), utf8), tokens: (units) => units },
  };
}

/** Tokens of a part, from its bytes where the counter reads them. */
export function countPart(counter: TokenCounter, utf8: Uint8Array): number {
  return counter.countBytes?.(utf8) ?? counter.count(decodePart(utf8));
}

/** Tokens of `text` when at most `limit`, by the counter's own short cut where it has one. */
export function countWithin(
  counter: TokenCounter,
  text: string,
  limit: number,
): number | undefined {
  if (limit < 0) return undefined;
  if (counter.within !== undefined) return counter.within(text, limit);
  const tokens = counter.count(text);
  return tokens <= limit ? tokens : undefined;
}

/** A count in one step, for a counter that has no slices. */
export function atOnce(count: () => number): { advance(): boolean; tokens: number } {
  const counting = {
    tokens: 0,
    advance(): boolean {
      counting.tokens = count();
      return true;
    },
  };
  return counting;
}

/**
 * A count that knows short texts it has seen: a tool's name comes with every call, and many answers are
 * alike. Two thirds of what the tokenizer took in a burst of calls.
 */
export function remembered(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    if (text === "") return 0;
    if (text.length > rememberedCharactersMax) return count(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const tokens = count(text);
    if (known.size >= rememberedTextsMax) known.clear();
    known.set(text, tokens);
    return tokens;
  };
}

/** Builds on first use, and only once. */
export function once<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined;
  return () => {
    built ??= { value: build() };
    return built.value;
  };
}
