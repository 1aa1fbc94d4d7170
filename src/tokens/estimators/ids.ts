// Help lists the ids in this order. This file imports nothing, so that parsing options loads no estimator.
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

export type EstimatorId = (typeof estimatorIds)[number];

export function isEstimatorId(raw: string): raw is EstimatorId {
  return estimatorIds.some((id) => id === raw);
}
