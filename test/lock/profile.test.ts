import { expect, test } from "bun:test";
import { sha256 as hash } from "#kit/os/hash.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { profileServer, profileTool, RecordedAnswers } from "#lock/profile.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { JsonObject } from "#wire/json.ts";
import { callRecord } from "../support/made-records.ts";
import { makeCountingReader } from "../support/readers.ts";

const reader = makeCountingReader();

function profiled(tools: readonly JsonObject[], instructions?: string) {
  const listing = {
    server: { name: "s", version: "1", protocol_version: null, era: "legacy" },
    instructions,
    tools,
    prompts: [{ name: "p" }],
    resources: [],
    resourceTemplates: [],
  } as const;
  const definitions = estimateDefinitions({ tools, instructions }, reader, hash);
  return profileServer(listing, definitions, { reader, thresholds: riskThresholdsDefault, hash });
}

test("profileServer profiles each tool, and the server by the worst that is not assumed", () => {
  const limit = { type: "object", properties: { limit: { maximum: 3 } } };
  const found = profiled(
    [
      { name: "a", description: "one", inputSchema: limit },
      { name: "bb", description: "two", inputSchema: {}, annotations: { title: "x" } },
    ],
    "be kind",
  );
  const [first, second] = found.tools;
  expect(first).toMatchObject({
    name: "a",
    name_tokens: 1,
    description_tokens: 3,
    input_fields: 1,
  });
  expect(first).toMatchObject({
    risk: null,
    worst_case: { tokens: 260, basis: "bounded", items: 3 },
  });
  expect(second).toMatchObject({ risk: null, worst_case: { tokens: 7_000, basis: "unbounded" } });
  expect(found.verdict).toEqual({ risk: null, unbounded: ["bb"], critical: [] });
  const sized = { name: "c", _meta: { "anthropic/maxResultSizeChars": 7_000 } };
  const flag = { name: "d", outputSchema: { properties: { ok: { type: "boolean" } } } };
  expect(profiled([flag, sized, { name: "bb" }]).verdict.risk).toBe("medium");
  expect(found.definitions.total_tokens).toBe((first?.tokens ?? 0) + (second?.tokens ?? 0));
  expect(found.definitions.percent_window).toBe(found.definitions.total_tokens / 10);
  expect(found.instructions).toEqual({ tokens: 7, sha256: hash("be kind") });
  expect(found.prompts).toEqual({ listed: 1, tokens: 12 });
  expect(found.resources).toEqual({ listed: 0, tokens: 0 });
});

test("profileServer of an empty list is empty", () => {
  const found = profiled([]);
  expect(found.tools).toEqual([]);
  expect(found.verdict).toEqual({ risk: null, unbounded: [], critical: [] });
  expect(found.instructions).toEqual({ tokens: 0, sha256: null });
});

const definition = {
  name: "t",
  tokens: 30,
  name_tokens: 1,
  description_tokens: 9,
  schema_tokens: 20,
  wire_only_tokens: 0,
  percent_total: 100,
  sha256: "",
};
const terms = { windowTokens: 1_000, thresholds: riskThresholdsDefault };

test.each([
  [
    "a declared size",
    { _meta: { "anthropic/maxResultSizeChars": 7_000 } },
    { tokens: 2_000, basis: "declared", is_assumed: false, base_tokens: null, items: null },
    "medium",
  ],
  [
    "a bounded list",
    { inputSchema: { properties: { limit: { maximum: 3 } } } },
    { tokens: 260, basis: "bounded", is_assumed: true, tier: "low", base_tokens: 70, items: 3 },
    null,
  ],
  [
    "a bounded list of closed items",
    { outputSchema: { type: "array", maxItems: 9, items: { type: "boolean" } } },
    { tokens: 68, basis: "bounded", is_assumed: false, base_tokens: 2, items: 9 },
    "low",
  ],
  [
    "nothing",
    {},
    { tokens: 7_000, basis: "unbounded", is_assumed: true, tier: "high", source: null },
    null,
  ],
])("profileTool: an answer bounded by %s", (_, raw, worst, risk) => {
  const { tool } = profileTool(definition, raw, terms);
  expect(tool).toMatchObject({ worst_case: worst, risk, percent_window: 3 });
});

test("profileTool counts fields and keeps what recommendations need", () => {
  const raw = {
    description: "Lists.",
    inputSchema: { properties: { limit: {}, q: {} } },
    outputSchema: { properties: { items: { type: "array" } } },
  };
  expect(profileTool(definition, raw, terms)).toMatchObject({
    tool: { input_fields: 2, output_fields: 1 },
    description: "Lists.",
    limitParameters: ["limit"],
    hasOpenList: true,
  });
});

test("recorded answers are those of successful calls of the tool, not of a prompt with its name", () => {
  const answers = new RecordedAnswers("docs", []);
  const fetched = { server: "docs", tool: "fetch", output_tokens: 10 };
  answers.add(callRecord(fetched));
  answers.add(callRecord({ ...fetched, output_tokens: 30 }));
  answers.add(callRecord({ ...fetched, output_tokens: 900, method: "prompts/get" }));
  answers.add(callRecord({ ...fetched, output_tokens: 900, outcome: "tool_error" }));
  answers.add(callRecord({ ...fetched, output_tokens: 900, server: "other" }));
  expect(answers.find("fetch")).toEqual({ calls: 2, average_tokens: 20, max_tokens: 30 });
  expect(answers.find("other")).toBeUndefined();
});
