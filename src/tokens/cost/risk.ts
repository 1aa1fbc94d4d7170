export const risks = ["low", "medium", "high", "critical"] as const;

export type Risk = (typeof risks)[number];

// The upper bounds of the first three risks, in tokens of an answer or of a whole call.
export type RiskThresholds = readonly [low: number, medium: number, high: number];

export const riskThresholdsDefault: RiskThresholds = [1_000, 4_000, 8_000];

export function classifyRisk(tokens: number, [low, medium, high]: RiskThresholds): Risk {
  if (tokens <= low) return "low";
  if (tokens <= medium) return "medium";
  return tokens <= high ? "high" : "critical";
}

export function pickHigherRisk(a: Risk, b: Risk): Risk {
  return risks.indexOf(a) >= risks.indexOf(b) ? a : b;
}
