import type { Counting } from "#tokenizer/tokenizer.ts";
import type { DefinitionModel, DefinitionTexts } from "./definition-model.ts";
import type { Estimation } from "./estimation.ts";

/** The part of a tokenizer that estimators use; counts in one vocabulary. */
export type TokenCounter = {
  /** Tokens of `text`, at most one per UTF-8 byte. */
  count(text: string): number;
  /** Tokens of `text` when they are at most `limit`, else undefined. */
  within(text: string, limit: number): number | undefined;
  /** The same count in slices. */
  begin(text: string): Counting;
  /** Tokens of a text in UTF-8, without decoding it first. */
  countBytes(utf8: Uint8Array): number;
};

/** Counts a text that is too long for memory, part by part. */
export type Parts = {
  /**
   * Units of one part: a figure that adds up, such as characters, or tokens before they are scaled. A part
   * begins with a line that begins with an ASCII letter or digit, where every vocabulary ends a token.
   */
  units(utf8: Uint8Array): number;
  /** Tokens of the sum of all units; `isJson` for a text that is a JSON object or array. */
  tokens(units: number, isJson?: boolean): number;
};

/**
 * One way to turn text into tokens. A pure, total function: the empty text is 0 tokens, and no text, also with
 * lone surrogates or the text of special tokens, throws or yields a negative number.
 */
export type Estimator = Estimation & {
  /** A text of B bytes of UTF-8 costs at most B times this. */
  readonly tokensPerTextByteMax: number;
  /**
   * The texts in B bytes of JSON cost at most B times this, the overhead of content included, although numbers grow
   * when they are written again: `1e20,` becomes 22 characters. Media are priced by their size and may exceed it.
   */
  readonly tokensPerLineByteMax: number;
  /** Tokens of one text. */
  count(text: string): number;
  /** The same count in slices; absent where `count` is fast enough for any text. */
  begin?(text: string): Counting;
  /** Tokens of `text` when they are at most `limit`, else undefined; reads little beyond the limit. */
  within?(text: string, limit: number): number | undefined;
  /** The same count of a text that comes in parts, in UTF-8. */
  readonly parts: Parts;
  /** The price of tool definitions, where the model prices them unlike other text. */
  readonly definitions?: DefinitionModel;
  /** True when a call of a named method is one text, the JSON of `{name, arguments}`, and not its two parts. */
  readonly framesCalls?: true;
  /** Tokens of a whole content array, media included, for estimators that price it by length. */
  content?(blocks: readonly unknown[]): number;
};

const plainDefinitions = { form: (texts: DefinitionTexts) => texts, perList: 0 };

/** The price of definitions by an estimator: its own model, else the price of any other text. */
export function definitionModel(estimator: Estimator): DefinitionModel {
  return estimator.definitions ?? { ...estimator, ...plainDefinitions };
}
