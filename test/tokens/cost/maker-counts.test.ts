import { describe, expect, test } from "bun:test";
import { makeCountKeys, makeMakerCounts, splitTokens } from "#tokens/cost/maker-counts.ts";

const source = { maker: "anthropic", model: "claude-opus-5" };
const hash = (text: string) => `<${text}>`;
const keys = makeCountKeys(source, hash);

function prices(counts: Readonly<Record<string, number>>) {
  return makeMakerCounts(source, { get: (key) => counts[key] }, hash);
}

const known = {
  [keys.perList]: 300,
  [keys.tool("a")]: 340,
  [keys.tool("b")]: 360,
  [keys.list(["a", "b"])]: 402,
};

describe("exactPrices", () => {
  test("a definition costs as much as alone, without the price of having any; the list keeps the rest", () => {
    const list = prices(known).find(["a", "b"]);
    expect(list).toEqual({ source, tokens: [40, 60], tokensPerList: 302 });
    expect(prices(known).find(["b", "a"])?.tokens).toEqual([60, 40]);
  });

  test("there is none where anything is unknown, and none of an empty list", () => {
    for (const key of Object.keys(known)) {
      const { [key]: _, ...incomplete } = known;
      expect(prices(incomplete).find(["a", "b"])).toBeUndefined();
    }
    expect(prices(known).find(["a"])).toBeUndefined();
    expect(prices({ [keys.list([])]: 1, [keys.perList]: 1 }).find([])).toBeUndefined();
  });

  test("definitions never cost more than their list, nor less than nothing", () => {
    const dear = { ...known, [keys.list(["a", "b"])]: 50 };
    expect(prices(dear).find(["a", "b"])).toMatchObject({ tokens: [20, 30], tokensPerList: 0 });
    const cheap = { ...known, [keys.tool("a")]: 5 };
    expect(prices(cheap).find(["a", "b"])?.tokens).toEqual([0, 60]);
  });

  test("another model, another maker and another list have other keys", () => {
    const haikuKeys = makeCountKeys({ ...source, model: "claude-haiku-4-5" }, hash);
    expect(new Set([keys.base, haikuKeys.base, keys.list(["a"]), keys.list(["b"])]).size).toBe(4);
    expect(keys.list(["b", "a"])).toBe(keys.list(["a", "b"]));
  });
});

test("splitTokens keeps the proportion of the parts, and their sum is exact", () => {
  const price = {
    name_tokens: 1,
    description_tokens: 3,
    schema_tokens: 3,
    wire_only_tokens: 9,
  };
  expect(splitTokens(price, 100)).toEqual({
    name_tokens: 14,
    description_tokens: 42,
    schema_tokens: 44,
    wire_only_tokens: 9,
  });
  const nothing = { ...price, name_tokens: 0, description_tokens: 0, schema_tokens: 0 };
  expect(splitTokens(nothing, 5)).toMatchObject({ name_tokens: 0, schema_tokens: 5 });
});
