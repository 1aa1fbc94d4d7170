import type { ProfileWithSavings } from "#lock/find-savings.ts";
import type { ProfiledTool } from "#lock/recommendations.ts";

export function profiledTool(name: string, tokens: number): ProfiledTool {
  return {
    name,
    tokens,
    name_tokens: 1,
    description_tokens: 2,
    schema_tokens: 3,
    wire_only_tokens: 4,
    percent_total: 50,
    percent_window: 0.5,
    sha256: "0".repeat(64),
    input_fields: 5,
    output_fields: 6,
    worst_case: {
      tokens: 2_800,
      basis: "unbounded",
      is_assumed: true,
      tier: "medium",
      source: null,
      base_tokens: 28,
      items: null,
    },
    risk: null,
  };
}

export const advice = { severity: "medium", kind: "bound_collection", text: "bound it" } as const;

export const madeProfile: ProfileWithSavings = {
  schema_version: "1.0",
  server: { name: "memory", version: "1", protocol_version: null, era: null },
  estimator: {
    id: "o200k",
    method: "bpe",
    encoding: "o200k_base",
    confidence: "medium",
    error: "not known",
    is_estimated: true,
  },
  window: 200_000,
  risk_thresholds: [1_000, 4_000, 8_000],
  definitions: {
    tools: 2,
    total_tokens: 1_300,
    resident_tokens: 1_300,
    wire_only_tokens: 8,
    percent_window: 0.65,
  },
  instructions: { tokens: 9, sha256: null },
  prompts: { listed: 1, tokens: 10 },
  resources: { listed: 0, tokens: 0 },
  resource_templates: { listed: 0, tokens: 0 },
  tools: [profiledTool("light", 300), profiledTool("heavy", 1_000)],
  verdict: { risk: null, unbounded: ["light", "heavy"], critical: [] },
  savings: [
    {
      kind: "schema_dialect",
      tokens: 130,
      percent_total: 10,
      tools: ["light", "heavy"],
      text: "drop $schema",
    },
  ],
  recommendations: [
    { ...advice, tool: "light" },
    { ...advice, tool: "heavy" },
  ],
};
