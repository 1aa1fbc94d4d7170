import type { Counting } from "../tokenizer/tokenizer.ts";

export type TokenCounter = {
  count(text: string): number;
  within(text: string, limit: number): number | undefined;
  begin(text: string): Counting;
  countBytes(utf8: Uint8Array): number;
};

export type Parts = {
  // Characters, or unscaled tokens. They add up if each part begins with a line that starts with an
  // ASCII letter or digit.
  units(utf8: Uint8Array): number;
  // `isJson`: the text is a JSON object or array.
  tokens(units: number, isJson?: boolean): number;
};

/** Pure and total: any text, including lone surrogates and special tokens, gives a number ≥ 0; "" gives 0. */
export type Estimator = Estimation & {
  // Upper bound per UTF-8 byte of text.
  readonly tokensPerTextByteMax: number;
  // Upper bound per byte of JSON, overhead included: `1e20,` grows to 22 characters. Media may exceed it.
  readonly tokensPerLineByteMax: number;
  count(text: string): number;
  // Absent where `count` is fast enough for any text.
  begin?(text: string): Counting;
  // Undefined above `limit`; reads little beyond it.
  within?(text: string, limit: number): number | undefined;
  readonly parts: Parts;
  readonly definitions?: DefinitionModel;
  readonly framesCalls?: true;
  content?(blocks: readonly unknown[]): number;
};

const plainDefinitions = { form: (texts: DefinitionTexts) => texts, perList: 0 };

export function pickDefinitionModel(estimator: Estimator): DefinitionModel {
  return estimator.definitions ?? { ...estimator, ...plainDefinitions };
}

export type Confidence = "high" | "medium" | "low";

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

export type PartTokens = { text: number; descriptions: number };

// Linear: a count of the texts as the model reads them, plus a constant per list.
export type DefinitionModel = {
  readonly encoding: string;
  form(texts: DefinitionTexts): DefinitionTexts;
  count(text: string): number;
  begin?(text: string): Counting;
  // Descriptions may cost less than structure.
  price?(counted: Readonly<PartTokens>): number;
  // Cost of having any tool at all; an empty list is free.
  readonly perList: number;
};

// Typical of English text and JSON, in characters or bytes.
const lengthPerToken = 4;

export function estimateByLength(length: number): number {
  return Math.ceil(length / lengthPerToken);
}
