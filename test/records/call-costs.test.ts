import { expect, test } from "bun:test";
import { unpricedModelsMax, CallCosts } from "#records/call-costs.ts";
import { completePrices, PriceBook } from "#records/money/price-book.ts";
import { findDefaultModel } from "#tokens/cost/client-models.ts";
import { madePrices } from "../support/made-prices.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { summaryOf } from "../support/play.ts";

const call = { input_tokens: 1_000, output_tokens: 10_000 };

const of = (model: string | null) => ({ ...call, model, ts: "2026-11-22", calls: 1 });

test("arguments are what the model wrote, an answer what it reads, at the prices of its model", () => {
  const costs = new CallCosts(madePrices());
  // 1,000 × 25 plus 10,000 × 0.5 or × 10, per million.
  expect(costs.price(of("opus"))).toEqual({ low: 0.075, high: 0.125 });
  // 1,000 × 2 and 10,000 × 1.
  expect(costs.price(of("flat"))).toEqual({
    low: 0.012,
    high: 0.012,
  });
  expect(costs.summarize()).toEqual({ prices: "made, 2026-11-22", unpriced: [] });
});

test("calls of an unknown model have no price, are counted by its name, and are never $0", () => {
  const costs = new CallCosts(madePrices());
  expect(costs.price(of(null))).toBeNull();
  expect(costs.price(of(null))).toBeNull();
  expect(costs.price(of("glm-4.6"))).toBeNull();
  expect(costs.summarize().unpriced).toEqual([
    { model: null, calls: 2 },
    { model: "glm-4.6", calls: 1 },
  ]);
});

test("calls without a price are listed in one order, whichever is read first", () => {
  const models = ["b", "a", "c", "c", null, null, null];
  const listed = [models, models.toReversed()].map((names) => {
    const costs = new CallCosts(madePrices());
    for (const name of names) costs.price(of(name));
    return costs.summarize().unpriced.map(({ model }) => model);
  });
  expect(listed).toEqual([
    [null, "c", "a", "b"],
    [null, "c", "a", "b"],
  ]);
});

test("a server that names a model for each call does not fill the summary", () => {
  const costs = new CallCosts(madePrices());
  const names = Array.from({ length: unpricedModelsMax + 5 }, (_, number) => `m${number}`);
  for (const model of [...names, "m0"]) costs.price(of(model));
  const { unpriced } = costs.summarize();
  expect(unpriced).toHaveLength(unpricedModelsMax + 1);
  expect(unpriced[0]).toEqual({ model: "m0", calls: 2 });
  expect(unpriced.at(-1)).toEqual({ model: "(other)", calls: 5 });
});

test("a summary: the costs of its rows add up to the total, and rows without a price have none", () => {
  const summary = summaryOf(
    [
      sessionRecord({ model: "opus" }),
      callRecord({ ...call, tool: "a" }),
      callRecord({ ...call, tool: "a", outcome: "refused" }),
      callRecord({ ...call, tool: "b", model: "flat" }),
      callRecord({ ...call, tool: "b", model: "other" }),
      callRecord({ ...call, tool: "c", model: "other" }),
    ],
    madePrices(),
  );
  const costs = Object.fromEntries(summary.tools.map(({ tool, cost_usd }) => [tool, cost_usd]));
  // The model wrote a refused call and read its refusal.
  expect(costs).toEqual({
    a: { low: 0.15, high: 0.25 },
    b: { low: 0.012, high: 0.012 },
    c: null,
  });
  expect(summary.total.cost_usd?.low).toBeCloseTo(0.162, 10);
  expect(summary.total.cost_usd?.high).toBeCloseTo(0.262, 10);
  expect(summary.cost?.unpriced).toEqual([{ model: "other", calls: 2 }]);
});

test("a call without a model is priced by the default of its client, and noted", () => {
  const rates = completePrices({ input: 1, output: 2 });
  const prices = new PriceBook("made", [() => rates]);
  const summary = summaryOf(
    [
      sessionRecord({ client_name: "codex-mcp-client" }),
      callRecord({ ...call, tool: "a" }),
      callRecord({ ...call, tool: "a", model: "other" }),
    ],
    prices,
  );
  expect(summary.cost).toMatchObject({
    unpriced: [],
    assumed: [{ client: "codex", model: findDefaultModel("codex"), calls: 1, is_default: true }],
  });
  const unknown = [sessionRecord({ client_name: "nobody" }), callRecord()];
  expect(summaryOf(unknown, prices).cost).toEqual({
    prices: "made",
    unpriced: [{ model: null, calls: 1 }],
  });
});

test("without prices a summary says nothing about money", () => {
  const summary = summaryOf([sessionRecord(), callRecord()]);
  expect(JSON.stringify(summary)).not.toContain("cost");
});
