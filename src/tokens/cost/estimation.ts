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
