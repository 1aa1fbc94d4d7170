export type Risk = "low" | "medium" | "high" | "critical";

export type RiskThresholds = readonly [low: number, medium: number, high: number];

export const riskThresholdsDefault: RiskThresholds = [1_000, 4_000, 8_000];

export const risks: readonly Risk[] = ["low", "medium", "high", "critical"];

export function classifyRisk(tokens: number, [low, medium, high]: RiskThresholds): Risk {
  if (tokens <= low) return "low";
  if (tokens <= medium) return "medium";
  return tokens <= high ? "high" : "critical";
}

export function pickHigherRisk(a: Risk, b: Risk): Risk {
  return risks.indexOf(a) >= risks.indexOf(b) ? a : b;
}
