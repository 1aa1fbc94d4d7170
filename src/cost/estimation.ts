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
