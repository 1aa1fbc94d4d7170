import type { Counting } from "#tokenizer/tokenizer.ts";

/** How sure an estimator is of its numbers; shown as ●●● ●●○ ●○○. */
export type Confidence = "high" | "medium" | "low";

export type EstimationMethod = "bpe" | "bpe-scaled" | "characters" | "words";

/** What an estimator declares about its numbers, copied into every record it makes. */
export type Estimation = {
  readonly id: string;
  readonly method: EstimationMethod;
  /** Vocabulary or ratio behind the numbers: `o200k_base`, `characters/4`. */
  readonly encoding: string;
  readonly confidence: Confidence;
  /** Known error in a phrase for the summary's footnote, with its source. */
  readonly error: string;
};

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

/** Texts of one tool definition; `schema` is the compact JSON of `inputSchema`. */
export type DefinitionTexts = {
  readonly name: string;
  readonly description: string;
  readonly schema: string;
};

/** Linear price of tool definitions: the texts as the model reads them, and a constant a list. */
export type DefinitionModel = {
  /** Vocabulary and factor behind the numbers, as an estimation's: where it differs, so do they. */
  readonly encoding: string;
  /** The texts with what stands around them in the request; what is absent stays empty. */
  form(texts: DefinitionTexts): DefinitionTexts;
  /** Tokens of one text that `form` gave. */
  count(text: string): number;
  begin?(text: string): Counting;
  /** Tokens that having any tool at all costs; an empty list costs nothing. */
  readonly perList: number;
};

const plainDefinitions = { form: (texts: DefinitionTexts) => texts, perList: 0 };

/** How an estimator prices definitions: by its own model, else like any other text. */
export function definitionModel(estimator: Estimator): DefinitionModel {
  return estimator.definitions ?? { ...estimator, ...plainDefinitions };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text of a part; bytes that are not UTF-8 become U+FFFD, a byte order mark stays. */
export function decodePart(utf8: Uint8Array): string {
  return decoder.decode(utf8);
}

/** Parts of an estimator whose tokens add up. */
export function partsBy(count: (text: string) => number): Parts {
  return { units: (utf8) => count(decodePart(utf8)), tokens: (units) => units };
}

/** Tokens of any value as compact JSON; what cannot be written as JSON is 0 tokens and says so. */
export function countValue(
  estimator: Pick<Estimator, "count">,
  value: unknown,
): { readonly tokens: number; readonly unserialisable: boolean } {
  const text = jsonText(value);
  if (text === undefined) return { tokens: 0, unserialisable: true };
  return { tokens: estimator.count(text), unserialisable: false };
}

/** Compact JSON of any value; undefined for what JSON cannot say: cycles, functions, endless nesting. */
export function jsonText(value: unknown): string | undefined {
  try {
    // The library's type promises a string, yet functions and undefined give undefined.
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}
