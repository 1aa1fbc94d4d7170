import { expect, test } from "bun:test";
import { beginTool, modelTokens, wayToCount } from "#cost/begin-tool.ts";
import { Bill } from "#cost/bill.ts";
import { createDefinitionPrices } from "#cost/definition-prices.ts";
import { plainReader } from "../support/plain-reader.ts";
import { sha256 } from "../support/play.ts";

const { estimator } = plainReader(undefined);
const tool = { name: "search", description: "Finds", inputSchema: { type: "object" } };

test("a definition is priced once its bill is counted", () => {
  const bill = new Bill(estimator);
  const deps = { hash: sha256, prices: createDefinitionPrices() };
  const { name, price } = beginTool(tool, bill, estimator, deps);
  while (bill.charactersLeft > 0) bill.advance(100);
  expect(name).toBe("search");
  expect(price()).toMatchObject({ name_tokens: 2, description_tokens: 2, schema_tokens: 6 });
  expect(modelTokens(price())).toBe(10);
});

test("a known price puts nothing on the bill", () => {
  const deps = { hash: sha256, prices: createDefinitionPrices() };
  const first = beginTool(tool, new Bill(estimator), estimator, deps);
  const known = { ...first.price(), name_tokens: 7 };
  deps.prices.set(wayToCount(estimator), first.sha256, known);
  const bill = new Bill(estimator);
  expect(beginTool(tool, bill, estimator, deps).price()).toEqual(known);
  expect(bill.charactersLeft).toBe(0);
});
