import type { DefinitionModel, DefinitionTexts } from "./definition-model.ts";
import type { Estimation } from "./estimation.ts";
import type { Counting } from "#tokenizer/tokenizer.ts";

/** What counts tokens of one vocabulary: the part of a tokenizer that estimators use. */
export type TokenCounter = {
  /** Tokens of `text`, at most one per UTF-8 byte. */
  count(text: string): number;
  /** Tokens of `text` when they are at most `limit`, else undefined. */
  within?(text: string, limit: number): number | undefined;
  begin?(text: string): Counting;
  /** Tokens of a text given as UTF-8, where that is cheaper than decoding it first. */
  countBytes?(utf8: Uint8Array): number;
};

/** What adds up over the parts of a text that is too long to be held at once. */
export type Parts = {
  /**
   * Units of one part: characters, or tokens before they are scaled. Parts are cut before a line that
   * begins with an ASCII letter or digit, where every vocabulary cuts too.
   */
  units(utf8: Uint8Array): number;
  /** Tokens of so many units. */
  tokens(units: number): number;
};

/**
 * One way to turn text into tokens. Pure and total: empty text is 0 tokens, the same text always the
 * same number, never negative, never throws, lone surrogates and special-token text included.
 */
export type Estimator = Estimation & {
  /**
   * No line of JSON of B bytes holds texts that cost more than B times this, content overhead included.
   * Media are priced by size and are not bounded by their bytes.
   */
  readonly tokensPerByteMax: number;
  /** Tokens of one text. */
  count(text: string): number;
  /** The same count in slices; absent where `count` is fast enough for any text. */
  begin?(text: string): Counting;
  /** Tokens of `text` when they are at most `limit`, else undefined, without reading far beyond it. */
  within?(text: string, limit: number): number | undefined;
  /** The same count of a text that comes in parts, as bytes. */
  readonly parts: Parts;
  /** How the model prices tool definitions, where it prices them unlike other text. */
  readonly definitions?: DefinitionModel;
  /** Tokens of a content array as a whole, media included, for estimators that price it by length. */
  content?(blocks: readonly unknown[]): number;
};

const plainDefinitions = { form: (texts: DefinitionTexts) => texts, perList: 0 };

/** How an estimator prices definitions: by its own model, else like any other text. */
export function definitionModel(estimator: Estimator): DefinitionModel {
  return estimator.definitions ?? { ...estimator, ...plainDefinitions };
}
