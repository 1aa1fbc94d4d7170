/** How much a difference matters, worst first. */
export const severities = ["BREAKING", "RISKY", "SAFE", "COSMETIC"] as const;

export type Severity = (typeof severities)[number];

export type DriftKind =
  | "tool_removed"
  | "risk_rose"
  | "parameter_removed"
  | "required_parameter_added"
  | "parameter_became_required"
  | "parameter_type_changed"
  | "became_unbounded"
  | "description_changed"
  | "schema_texts_changed"
  | "annotations_changed"
  | "instructions_changed"
  | "tool_added_over_budget"
  | "risk_fell"
  | "became_bounded"
  | "tool_added"
  | "optional_parameter_added"
  | "parameter_became_optional"
  | "definition_changed"
  | "server_changed";

/** One difference between a server and its lock. */
export type Drift = {
  readonly severity: Severity;
  readonly kind: DriftKind;
  /** Null for what concerns the server as a whole. */
  readonly tool: string | null;
  /** What it is about in few words, as `parameter filter.since`. */
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
};
