/** Every id, in the order in which users read them. A list of its own, so that options load no estimator. */
export const estimatorIds = [
  "o200k",
  "cl100k",
  "claude",
  "claude-legacy",
  "gemini",
  "chars4",
  "chars3.5",
  "chars3",
  "words",
] as const;

/** Id of an estimator. */
export type EstimatorId = (typeof estimatorIds)[number];

/** True for the id of an estimator. */
export function isEstimatorId(raw: string): raw is EstimatorId {
  return estimatorIds.some((id) => id === raw);
}
