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

/** A count in progress, for texts too long to count in one go. */
export type Counting = {
  /** Does about `workMax` bytes of work; true when the count is complete. */
  advance(workMax: number): boolean;
  /** Tokens counted so far; the total once `advance` returned true. */
  readonly tokens: number;
};

/**
 * One way to turn text into tokens. Pure and total: empty text is 0 tokens, the same text always the
 * same number, never negative, never throws, lone surrogates and special-token text included.
 */
export type Estimator = Estimation & {
  /** Tokens of one text. */
  count(text: string): number;
  /** The same count in slices; absent where `count` is fast enough for any text. */
  begin?(text: string): Counting;
  /** Tokens of `text` when they are at most `limit`, else undefined, without reading far beyond it. */
  within?(text: string, limit: number): number | undefined;
  /** Tokens of one tool definition's texts, where the model prices definitions unlike prose. */
  definitions?: DefinitionModel;
  /** Tokens of a content array as a whole, media included, for estimators that price it by length. */
  content?(blocks: readonly unknown[]): number;
};

/**
 * Linear price of tool definitions: `perList` once a list, `perTool` each tool, and `factor` times the
 * tokens of the base encoding.
 */
export type DefinitionModel = {
  readonly factor: number;
  readonly perTool: number;
  readonly perList: number;
};
