import { expect, test } from "bun:test";
import { makeExactChooser, addExactCounts } from "#commands/exact-option.ts";
import { makeCountKeys } from "#tokens/cost/maker-counts.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import { sha256 } from "#kit/os/hash.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { plainReader } from "../support/plain-reader.ts";

const tools = [
  { name: "read", description: "Reads a file.", inputSchema: { type: "object" } },
  { name: "write", description: "Writes a file.", inputSchema: { type: "object" } },
];
const model = "claude-opus-5";
const keys = makeCountKeys({ maker: "anthropic", model }, sha256);
const hashes = tools.map((tool) => sha256(canonicalizeJson(tool)));
const [readHash = "", writeHash = ""] = hashes;
const known = new Map([
  [keys.perList, 300],
  [keys.tool(readHash), 350],
  [keys.tool(writeHash), 360],
  [keys.list(hashes), 411],
]);

test("a list counted by the maker has its price and names the maker", () => {
  const reader = addExactCounts({ ...plainReader(undefined), model }, known);
  const cost = estimateDefinitions({ tools }, reader, sha256);
  expect(cost).toMatchObject({
    total_tokens: 411,
    resident_tokens: 411,
    counted_by: { maker: "anthropic", model },
  });
  expect(cost.tools.map(({ tokens }) => tokens)).toEqual([50, 60]);
  const [read] = cost.tools;
  expect(
    (read?.name_tokens ?? 0) + (read?.description_tokens ?? 0) + (read?.schema_tokens ?? 0),
  ).toBe(50);
});

test("a list with one more tool is an estimate", () => {
  const reader = addExactCounts({ ...plainReader(undefined), model }, known);
  const more = [...tools, { name: "more", inputSchema: {} }];
  const plain = estimateDefinitions({ tools: more }, plainReader(undefined), sha256);
  expect(estimateDefinitions({ tools: more }, reader, sha256)).toEqual(plain);
});

test("a client's own form of a definition is corrected by as much as the listed one", () => {
  const reader = { ...plainReader("claude-code"), model };
  const estimate = estimateDefinitions({ tools }, reader, sha256);
  const exact = estimateDefinitions({ tools }, addExactCounts(reader, known), sha256);
  for (const [at, tool] of exact.tools.entries()) {
    const before = estimate.tools[at];
    const correction = tool.tokens - (before?.tokens ?? 0);
    expect(tool.context_tokens).toBe((before?.context_tokens ?? 0) + correction);
  }
});

test("a session without a named model, or with one of another maker, has no exact prices", () => {
  for (const name of [null, "gpt-5", "claude-haiku-4-5"]) {
    const reader = makeExactChooser(() => ({ ...plainReader(undefined), model: name }), known)("x");
    const cost = estimateDefinitions({ tools }, reader, sha256);
    expect(cost.counted_by).toBeUndefined();
  }
});
