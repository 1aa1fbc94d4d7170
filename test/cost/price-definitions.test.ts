import { expect, test } from "bun:test";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { sha256 } from "#os/sha256.ts";
import { countedReader } from "../support/readers.ts";

const reader = countedReader();

test("priceDefinitions prices a list and the instructions at once", () => {
  const tools = [{ name: "a", description: "one", inputSchema: {} }];
  const priced = priceDefinitions(tools, "be kind", reader, sha256);
  expect(priced).toMatchObject({ is_complete: true, tools_total: 1, instructions_tokens: 7 });
  expect(priced.tools).toMatchObject([{ name: "a", name_tokens: 1, description_tokens: 3 }]);
});

test("priceDefinitions of nothing is nothing", () => {
  expect(priceDefinitions([], undefined, reader, sha256)).toMatchObject({
    tools: [],
    total_tokens: 0,
    resident_tokens: 0,
  });
});
