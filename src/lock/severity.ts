/** How much a difference from the lock matters, worst first. */
export const severities = ["BREAKING", "RISKY", "SAFE", "COSMETIC"] as const;

/** One of `severities`. */
export type Severity = (typeof severities)[number];

/** Every kind of drift with its severity. */
export const driftSeverities = {
  tool_removed: "BREAKING",
  risk_rose: "BREAKING",
  parameter_removed: "BREAKING",
  required_parameter_added: "BREAKING",
  parameter_became_required: "BREAKING",
  parameter_type_changed: "BREAKING",
  became_unbounded: "RISKY",
  description_changed: "RISKY",
  schema_texts_changed: "RISKY",
  annotations_changed: "RISKY",
  instructions_changed: "RISKY",
  tool_added_over_budget: "RISKY",
  risk_fell: "SAFE",
  became_bounded: "SAFE",
  tool_added: "SAFE",
  optional_parameter_added: "SAFE",
  parameter_became_optional: "SAFE",
  definition_changed: "COSMETIC",
  server_changed: "COSMETIC",
} as const satisfies { readonly [kind: string]: Severity };

/** A drift's key: code selects drifts by it, never by their text. */
export type DriftKind = keyof typeof driftSeverities;

/** The least severity that fails a comparison; everything worse fails it too. */
export type FailOn = "breaking" | "risky" | "safe";

const leastSeverities: { readonly [failOn in FailOn]: Severity } = {
  breaking: "BREAKING",
  risky: "RISKY",
  safe: "SAFE",
};

/** True when a drift of that severity fails a comparison. */
export function failsOn(failOn: FailOn, severity: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(leastSeverities[failOn]);
}
