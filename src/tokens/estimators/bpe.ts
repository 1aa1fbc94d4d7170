import type { Estimator, ChunkCounter, TokenCounter } from "../cost/estimator.ts";
import type { Encoding } from "../tokenizer/tokenizer.ts";
import type { CalibratedModel } from "./user-calibration.ts";

// An invalid byte becomes U+FFFD, which has up to three tokens. A number that clients expand has fewer
// than three tokens per byte: the four bytes `1e20` become 21 digits, which have seven tokens.
export const vocabularyTokensPerLineByteMax = 3;

const exampleModels: { readonly [encoding in Encoding]: string } = {
  o200k_base: "GPT-4o and GPT-5",
  cl100k_base: "GPT-4",
};

export function makeVocabularyEstimator(
  id: string,
  encoding: Encoding,
  deps: EstimatorDeps,
): Estimator {
  let loaded: TokenCounter | undefined;
  const load = (): TokenCounter => (loaded ??= deps.loadTokenizer(encoding));
  return {
    id,
    method: "bpe",
    encoding,
    confidence: "medium",
    error: `exact for models that use ${encoding}, such as ${exampleModels[encoding]}; the error for others is not known`,
    tokensPerTextByteMax: 1,
    tokensPerLineByteMax: vocabularyTokensPerLineByteMax,
    count: memoizeCount((text) => load().count(text)),
    begin: (text) => load().begin(text),
    countWithin: (text, limit) => load().countWithin(text, limit),
    chunks: {
      countUnits: (utf8) => load().countBytes(utf8),
      toTokens: (units) => units,
    },
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Invalid bytes become U+FFFD. A byte order mark is kept. */
export function decodeUtf8(utf8: Uint8Array): string {
  return decoder.decode(utf8);
}

export function makeChunkCounter(count: (text: string) => number): ChunkCounter {
  return { countUnits: (utf8) => count(decodeUtf8(utf8)), toTokens: (units) => units };
}

export type EstimatorDeps = {
  loadTokenizer(encoding: Encoding): TokenCounter;
  readonly calibrated?: CalibratedModel | undefined;
};

// Limits of each of the two generations of `memoizeCount`.
export const rememberedCharactersMax = 256 * 1024;
export const rememberedTextsMax = 1_000;

// Longer texts rarely recur.
export const rememberedTextCharactersMax = 4_096;

// A lookup takes a thirtieth of the time of a count. Texts that recur survive in the newer generation.
export function memoizeCount(count: (text: string) => number): (text: string) => number {
  let newer = new Map<string, number>();
  let older = new Map<string, number>();
  let characters = 0;
  const remember = (text: string, tokens: number): void => {
    if (newer.size >= rememberedTextsMax || characters + text.length > rememberedCharactersMax) {
      older = newer;
      newer = new Map();
      characters = 0;
    }
    newer.set(text, tokens);
    characters += text.length;
  };
  return (text) => {
    if (text === "") return 0;
    if (text.length > rememberedTextCharactersMax) return count(text);
    const known = newer.get(text);
    if (known !== undefined) return known;
    const tokens = older.get(text) ?? count(text);
    remember(text, tokens);
    return tokens;
  };
}
