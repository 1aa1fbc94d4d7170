import { describe, expect, test } from "bun:test";
import { createDefinitionPrices } from "#cost/definition-prices.ts";
import { definitionPricesMax } from "#limits/counting.ts";

describe("createDefinitionPrices", () => {
  const price = { name_tokens: 1, description_tokens: 2, schema_tokens: 3, wire_only_tokens: 4 };

  test("are kept by estimator and hash", () => {
    const prices = createDefinitionPrices();
    prices.set("o200k", "a", price);
    expect([prices.get("o200k", "a"), prices.get("claude", "a"), prices.get("o200k", "b")]).toEqual(
      [price, undefined, undefined],
    );
  });

  test(`${definitionPricesMax} are kept, further ones are not`, () => {
    const prices = createDefinitionPrices();
    for (let at = 0; at <= definitionPricesMax; at += 1) prices.set("e", String(at), price);
    expect(prices.get("e", String(definitionPricesMax - 1))).toEqual(price);
    expect(prices.get("e", String(definitionPricesMax))).toBeUndefined();
  });
});
