import { expect, test } from "bun:test";
import { sha256 as hash } from "#os/sha256.ts";
import { priceCanonical } from "#cost/canonical-definitions.ts";
import { countedReader } from "../support/readers.ts";

/** Counts what a key's place in the text is worth. */
const reader = countedReader((text) => text.indexOf("b") + text.length);

test("priceCanonical is the same for the same definition in any order of keys", () => {
  const one = { name: "t", inputSchema: { a: 1, b: { c: 2, d: 3 } } };
  const two = { inputSchema: { b: { d: 3, c: 2 }, a: 1 }, name: "t" };
  const priced = priceCanonical([one], "hello", reader, hash);
  expect(priceCanonical([two], "hello", reader, hash)).toEqual(priced);
  expect(priced).toMatchObject({ tools_total: 1, instructions_tokens: 4 });
  expect(priced.tools[0]?.sha256).toBe(
    hash('{"inputSchema":{"a":1,"b":{"c":2,"d":3}},"name":"t"}'),
  );
});

test("priceCanonical of nothing is nothing", () => {
  expect(priceCanonical([], undefined, reader, hash)).toMatchObject({ tools: [], total_tokens: 0 });
});
