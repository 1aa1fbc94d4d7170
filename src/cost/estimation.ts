/** How sure an estimator is of its numbers; shown as ●●● ●●○ ●○○. */
export type Confidence = "high" | "medium" | "low";

/** How an estimator turns text into tokens. */
export type EstimationMethod = "bpe" | "bpe-scaled" | "characters" | "words";

/** The facts an estimator declares about its numbers; every record of a count contains them. */
export type Estimation = {
  readonly id: string;
  readonly method: EstimationMethod;
  /** Vocabulary or ratio behind the numbers: `o200k_base`, `characters/4`. */
  readonly encoding: string;
  readonly confidence: Confidence;
  /** Known error, as a phrase for the footnote of the summary. */
  readonly error: string;
};
