import { expect, test } from "bun:test";
import type { Profile } from "#lock/profile.ts";
import type { ProfiledTool } from "#lock/profiled-tool.ts";
import { renderProfile } from "#renderers/profile.ts";
import { escapeUnsafe } from "#text/unsafe-text.ts";

const tool = (name: string, tokens: number): ProfiledTool => ({
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
  worst_case: { tokens: 2_800, basis: "unbounded", source: null, base_tokens: 28, items: null },
  risk: "medium",
});
const hostile = "h\u001b]0;x\u0007|`<b>\u202e";
const advice = { severity: "medium", kind: "bound_collection", text: "bound it" } as const;
const profile: Profile = {
  schema_version: "1.0",
  server: { name: hostile, version: "1", protocol_version: null, era: null },
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
  tools: [tool("light", 300), tool(hostile, 1_000)],
  verdict: { risk: "medium", unbounded: ["light", hostile], critical: [] },
  recommendations: [
    { ...advice, tool: "light" },
    { ...advice, tool: hostile },
  ],
};

test("renderProfile as a table: dearest first, same advice once, nothing unsafe", () => {
  const text = renderProfile("table", profile, { color: false });
  expect(text.indexOf("~1,000")).toBeLessThan(text.indexOf("~300"));
  expect(text).toContain("2,800+");
  expect(text).toContain("bound it (2 tools: light, h");
  expect(text).toContain("2 tools, ~1,300 tokens, 0.7 % of a window of 200,000");
  expect(text).not.toContain("resources ");
  expect(escapeUnsafe(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
});

test("renderProfile as Markdown and JSON is safe, and JSON is the profile", () => {
  const markdown = renderProfile("markdown", profile, { color: false });
  expect(markdown.replaceAll(/`[^`]*`/g, "")).not.toContain("<b>");
  const json = renderProfile("json", profile, { color: false });
  expect(JSON.parse(json)).toEqual(profile);
  for (const text of [markdown, json]) {
    expect(escapeUnsafe(text.replaceAll("\n", ""))).toBe(text.replaceAll("\n", ""));
  }
});

test("renderProfile sums up what does not fit", () => {
  const tools = Array.from({ length: 60 }, (_, at) => tool(`t${at}`, 100 - at));
  const recommendations = tools.map(({ name }) => ({
    ...advice,
    tool: name,
    text: `bound ${name}`,
  }));
  const text = renderProfile("table", { ...profile, tools, recommendations }, { color: false });
  expect(text).toContain("10 more tools");
  expect(text).toContain("40 more recommendations, see --format json");
});
