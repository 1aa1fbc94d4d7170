import type { Counting } from "../tokenizer/tokenizer.ts";

export type TokenCounter = {
  /** At most one per UTF-8 byte. */
  count(text: string): number;
  within(text: string, limit: number): number | undefined;
  begin(text: string): Counting;
  countBytes(utf8: Uint8Array): number;
};

export type Parts = {
  /** Units add up: characters, or unscaled tokens. A part begins a line with an ASCII letter or digit. */
  units(utf8: Uint8Array): number;
  /** `isJson` for a JSON object or array. */
  tokens(units: number, isJson?: boolean): number;
};

/** Pure and total: no text throws or yields a negative number, also with lone surrogates or special tokens; "" is 0. */
export type Estimator = Estimation & {
  /** Bound for a text, per byte of UTF-8. */
  readonly tokensPerTextByteMax: number;
  /** Bound for the texts in JSON, overhead included: `1e20,` becomes 22 characters. Media may exceed it. */
  readonly tokensPerLineByteMax: number;
  count(text: string): number;
  /** Absent where `count` is fast enough for any text. */
  begin?(text: string): Counting;
  /** Undefined above `limit`; reads little beyond it. */
  within?(text: string, limit: number): number | undefined;
  readonly parts: Parts;
  /** Where the model prices definitions unlike other text. */
  readonly definitions?: DefinitionModel;
  /** A call is one text, the JSON of `{name, arguments}`. */
  readonly framesCalls?: true;
  /** For estimators that price a whole content array, media included. */
  content?(blocks: readonly unknown[]): number;
};

const plainDefinitions = { form: (texts: DefinitionTexts) => texts, perList: 0 };

export function definitionModel(estimator: Estimator): DefinitionModel {
  return estimator.definitions ?? { ...estimator, ...plainDefinitions };
}

/** How sure an estimator is of its numbers; shown as ●●● ●●○ ●○○. */
export type Confidence = "high" | "medium" | "low";

export type EstimationMethod = "bpe" | "bpe-scaled" | "characters" | "words";

export type Estimation = {
  readonly id: string;
  readonly method: EstimationMethod;
  readonly encoding: string;
  readonly confidence: Confidence;
  readonly error: string;
};

/** `schema` is the compact JSON of `inputSchema`. */
export type DefinitionTexts = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
};

export type PartTokens = { text: number; descriptions: number };

/** Linear: the texts as the model reads them, and a constant per list. */
export type DefinitionModel = {
  readonly encoding: string;
  form(texts: DefinitionTexts): DefinitionTexts;
  /** Before `price`; accepts a text of `form` or a bare description. */
  count(text: string): number;
  begin?(text: string): Counting;
  /** Descriptions may cost less than structure. */
  price?(counted: Readonly<PartTokens>): number;
  /** Tokens of having any tool; an empty list costs nothing. */
  readonly perList: number;
};

// English text and JSON, in characters or bytes.
const lengthPerToken = 4;

export function tokensByLength(length: number): number {
  return Math.ceil(length / lengthPerToken);
}
