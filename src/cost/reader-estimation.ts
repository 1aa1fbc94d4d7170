import type { Confidence, Estimation } from "./estimation.ts";
import type { Reader } from "./reader.ts";
import type { Visibility } from "./visibility.ts";

/**
 * How sure the numbers of a whole session are. The tokens of a text may be exact; those of an answer are not, because
 * every client puts text of its own around some kind of answer.
 */
export function readerEstimation(
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

/** How sure the numbers of one answer are: exact where the reader is known to show it unchanged. */
export function answerConfidence(
  confidence: Confidence,
  { profile }: Pick<Reader, "profile">,
  { isFramed, isScripted }: Pick<Visibility, "isFramed" | "isScripted">,
): Confidence {
  if (isScripted === true) return "low";
  const isExact = profile.measured !== null && isFramed !== true;
  return confidence === "high" && !isExact ? "medium" : confidence;
}
