/** The weight of one answer in a context window. */
export type Risk = "low" | "medium" | "high" | "critical";

/** Upper bounds in tokens of `low`, `medium` and `high`; more is `critical`. */
export type RiskThresholds = readonly [low: number, medium: number, high: number];

/** The thresholds unless the user sets others. */
export const riskThresholdsDefault: RiskThresholds = [1_000, 4_000, 8_000];

/** All levels, the lowest first. */
export const risks: readonly Risk[] = ["low", "medium", "high", "critical"];

/** The risk of an answer of `tokens` tokens. */
export function classifyRisk(tokens: number, [low, medium, high]: RiskThresholds): Risk {
  if (tokens <= low) return "low";
  if (tokens <= medium) return "medium";
  return tokens <= high ? "high" : "critical";
}

/** The higher of two risks. */
export function higherRisk(one: Risk, other: Risk): Risk {
  return risks.indexOf(one) >= risks.indexOf(other) ? one : other;
}
