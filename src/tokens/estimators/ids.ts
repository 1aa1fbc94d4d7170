// Listed in the order the help shows them. Kept in their own file so that parsing options does not
// load the estimators.
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
