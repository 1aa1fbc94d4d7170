import type { Confidence, Estimation } from "./estimator.ts";
import type { Reader } from "./exact-prices.ts";
import type { Visibility } from "./visibility.ts";

// A text's count may be exact. Answer counts never are, because every client adds text to some answers.
export function describeReaderEstimation(
  reader: Pick<Reader, "estimator" | "profile">,
): Pick<Estimation, "confidence" | "error"> {
  const { confidence, error } = reader.estimator;
  const { measured, isScripted } = reader.profile;
  if (isScripted({})) {
    return {
      confidence: "low",
      error: `an upper bound, because scripts of this client read the answers; the tokens of a text: ${error}`,
    };
  }
  if (confidence !== "high") return { confidence, error };
  const reason = measured
    ? "texts that the client adds are counted within a few tokens"
    : "a client may add text of its own";
  return { confidence: "medium", error: `${error}; ${reason}` };
}

// Exact only if the client was measured with such an answer and shows it unchanged.
export function rateAnswerConfidence(
  confidence: Confidence,
  { isFramed, isScripted, isMeasured }: Pick<Visibility, "isFramed" | "isScripted" | "isMeasured">,
): Confidence {
  if (isScripted === true) return "low";
  const isExact = isMeasured === true && isFramed !== true;
  return confidence === "high" && !isExact ? "medium" : confidence;
}
