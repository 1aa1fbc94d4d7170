import type { Counting } from "../tokenizer/tokenizer.ts";

export type TokenCounter = {
  count(text: string): number;
  countWithin(text: string, tokensMax: number): number | undefined;
  begin(text: string): Counting;
  countBytes(utf8: Uint8Array): number;
};

// Counts a file in chunks. If each cut is before a line that begins with an ASCII letter or digit, the counts of the
// chunks add up to the count of the whole file.
export type ChunkCounter = {
  countUnits(utf8: Uint8Array): number; // characters, or unscaled tokens
  toTokens(units: number, bytes: number, isJson?: boolean): number; // takes sums over the whole file
};

/** Never throws: any text, even with lone surrogates or special tokens, has a count of 0 or more; "" has 0. */
export type Estimator = Estimation & {
  readonly tokensPerTextByteMax: number; // of UTF-8
  // Per byte of a JSON line without media. Allows for clients that expand numbers: `1e20,` becomes 22 characters.
  readonly tokensPerLineByteMax: number;
  count(text: string): number;
  // Absent where `count` is fast enough for any text.
  begin?(text: string): Counting;
  // Returns undefined if the count exceeds `tokensMax`, perhaps without reading the whole text.
  countWithin?(text: string, tokensMax: number): number | undefined;
  readonly chunks: ChunkCounter;
  readonly definitions?: DefinitionFormula;
  readonly framesCalls?: true; // counts a call as JSON with name and arguments
  countContent?(blocks: readonly unknown[]): number;
};

const plainTexts = { formatTexts: (texts: DefinitionTexts) => texts, tokensPerList: 0 };

export function pickDefinitionFormula(estimator: Estimator): DefinitionFormula {
  return estimator.definitions ?? { ...estimator, ...plainTexts };
}

export type Confidence = "high" | "medium" | "low";

export type MediaEstimate = { readonly tokens: number; readonly confidence: Confidence };

export type EstimationMethod = "bpe" | "bpe-scaled" | "characters" | "words";

export type Estimation = {
  readonly id: string;
  readonly method: EstimationMethod;
  readonly encoding: string;
  readonly confidence: Confidence;
  readonly error: string;
};

export type DefinitionTexts = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
};

export type TextTokens = { all: number; descriptions: number };

// A list of definitions costs the tokens of its texts, as the model reads them, plus `tokensPerList`.
export type DefinitionFormula = {
  readonly encoding: string;
  formatTexts(texts: DefinitionTexts): DefinitionTexts;
  count(text: string): number;
  begin?(text: string): Counting;
  // Present if descriptions are scaled separately from the rest.
  combineTokens?(counted: Readonly<TextTokens>): number;
  readonly tokensPerList: number; // an empty list is free
};

// In characters or bytes. Typical of English and JSON.
const lengthPerToken = 4;

export function estimateByLength(length: number): number {
  return Math.ceil(length / lengthPerToken);
}
