import { expect, test } from "bun:test";
import { sha256 as hash } from "#kit/os/sha256.ts";
import { priceDefinitions } from "#tokens/cost/price-definitions.ts";
import { profileServer } from "#lock/profile.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import type { JsonObject } from "#wire/json.ts";
import { countedReader } from "../support/readers.ts";

const reader = countedReader();

function profiled(tools: readonly JsonObject[], instructions?: string) {
  const listing = {
    server: { name: "s", version: "1", protocol_version: null, era: "legacy" },
    instructions,
    tools,
    prompts: [{ name: "p" }],
    resources: [],
    resourceTemplates: [],
  } as const;
  const definitions = priceDefinitions({ tools, instructions }, reader, hash);
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
