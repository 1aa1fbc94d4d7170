/** How much a difference from the lock matters, worst first. */
export const severities = ["BREAKING", "RISKY", "SAFE", "COSMETIC"] as const;

/** One of `severities`. */
export type Severity = (typeof severities)[number];

/** Every kind of drift with its severity. */
export const driftSeverities = {
  tool_removed: "BREAKING",
  tool_listed_twice: "BREAKING",
  entries_not_tools: "BREAKING",
  input_schema_rejected: "BREAKING",
  definition_unknown: "BREAKING",
  lock_miscounted: "BREAKING",
  prompt_removed: "BREAKING",
  prompt_listed_twice: "BREAKING",
  resource_template_removed: "BREAKING",
  resource_template_listed_twice: "BREAKING",
  risk_rose: "BREAKING",
  parameter_removed: "BREAKING",
  required_parameter_added: "BREAKING",
  parameter_became_required: "BREAKING",
  parameter_type_changed: "BREAKING",
  input_narrowed: "BREAKING",
  input_changed: "BREAKING",
  field_removed: "BREAKING",
  field_became_optional: "BREAKING",
  field_type_changed: "BREAKING",
  output_changed: "BREAKING",
  output_schema_removed: "BREAKING",
  output_schema_changed: "RISKY",
  output_widened: "RISKY",
  became_unbounded: "RISKY",
  definitions_grew: "RISKY",
  tool_added: "RISKY",
  parameter_added: "RISKY",
  field_added: "RISKY",
  text_added: "RISKY",
  text_changed: "RISKY",
  description_changed: "RISKY",
  annotations_changed: "RISKY",
  client_hint_changed: "RISKY",
  instructions_changed: "RISKY",
  prompt_added: "RISKY",
  resource_template_added: "RISKY",
  input_widened: "SAFE",
  output_narrowed: "SAFE",
  parameter_became_optional: "SAFE",
  field_became_required: "SAFE",
  risk_fell: "SAFE",
  became_bounded: "SAFE",
  metadata_changed: "COSMETIC",
  definition_reordered: "COSMETIC",
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
