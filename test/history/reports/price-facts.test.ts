import { expect, test } from "bun:test";
import { assert, constantFrom, integer, property, record, array } from "fast-check";
import { axes } from "#history/reports/usage-report.ts";
import { makeReport } from "#history/reports/make-report.ts";
import { AssumedModels, priceFacts } from "#history/reports/assumed-models.ts";
import { findListedPrices } from "#records/money/listed-prices.ts";
import { PriceBook } from "#records/money/price-book.ts";
import { findDefaultModel } from "#tokens/cost/client-models.ts";
import { madePrices } from "../../support/made-prices.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { usageFacts, usagePlan } from "../../support/usage-facts.ts";

const listedPrices = new PriceBook("list", [findListedPrices]);

test("calls are priced by their model; definitions and calls of unknown models are not", () => {
  const facts = usageFacts([
    sessionRecord({ model: "opus", seq: 0 }),
    definitionsRecord({ seq: 1 }),
    callRecord({ seq: 2, input_tokens: 1_000, output_tokens: 10_000 }),
    callRecord({ seq: 3, input_tokens: 1_000, output_tokens: 10_000 }),
    callRecord({ seq: 4, model: "other" }),
  ]);
  const { facts: priced, cost } = priceFacts(
    facts,
    madePrices(),
    new AssumedModels(facts, undefined),
  );
  const costs = priced.map(({ method, model, cost: call }) => [method, model, call]);
  expect(costs).toContainEqual(["tools/call", "opus", { low: 0.15, high: 0.25 }]);
  expect(costs).toContainEqual(["tools/call", "other", null]);
  expect(costs).toContainEqual(["tools/list", "opus", undefined]);
  expect(cost.unpriced).toEqual([{ model: "other", calls: 1 }]);
});

const session = (id: string, client_name: string, model: string | null) =>
  sessionRecord({ session_id: id, client_name, model });
const dayCall = (session_id: string, day: number, output_tokens: number) =>
  callRecord({ session_id, seq: 1, ts: `2026-11-0${day}T12:00:00.000Z`, output_tokens });

test("calls without a model are priced as their client's other calls of the day, else by the named model, whatever the period", () => {
  const facts = usageFacts([
    session("a", "codex-mcp-client", "flat"),
    dayCall("a", 1, 10),
    session("b", "codex", "opus"),
    dayCall("b", 2, 1_000),
    session("c", "codex", null),
    dayCall("c", 1, 10),
    session("d", "codex", null),
    dayCall("d", 3, 10),
    session("e", "other", null),
    dayCall("e", 1, 10),
  ]);
  const assumedAs = (model: string | undefined) =>
    makeReport(facts, usagePlan({ tables: [], prices: madePrices(), model })).cost;
  expect(assumedAs(undefined)?.assumed).toEqual([
    { client: "codex", model: "flat", calls: 1, is_default: false },
    { client: "codex", model: "gpt-6-sol", calls: 1, is_default: true },
  ]);
  expect(assumedAs(undefined)?.unpriced).toContainEqual({ model: null, calls: 1 });
  const named = { client: "other", model: "flat", calls: 1, is_default: false };
  expect(assumedAs("flat")?.assumed).toContainEqual(named);
  expect(assumedAs("flat")?.unpriced).toEqual([]);
});

test("a client whose model neither a log nor the user names is priced by its default, and the report says so", () => {
  const facts = usageFacts([session("a", "codex-mcp-client", null), dayCall("a", 1, 1_000)]);
  const report = (model: string | undefined) =>
    makeReport(facts, usagePlan({ tables: [], prices: listedPrices, model }));
  const { cost, sum } = report(undefined);
  expect(cost?.assumed).toEqual([
    { client: "codex", model: "gpt-6-sol", calls: 1, is_default: true },
  ]);
  expect(cost?.unpriced).toEqual([]);
  expect(sum.totals.cost_usd?.high).toBeGreaterThan(0);
  const named = { client: "codex", model: "gpt-5.5", calls: 1, is_default: false };
  expect(report("gpt-5.5").cost?.assumed).toEqual([named]);
});

test.each(["claude-code", "claude-ai", "codex", "gemini-cli", "kimi-code", "grok-build"])(
  "the default model of %s has a list price",
  (client) => {
    expect(findListedPrices(findDefaultModel(client) ?? "", new Date("2026-11-22"))).toBeDefined();
  },
);

test.each(["opencode", "cursor", "goose", "qwen-code", "copilot-cli", ""])(
  "%p has no default model, because no single vendor is behind it",
  (client) => {
    expect(findDefaultModel(client)).toBeUndefined();
  },
);

test("each block lists its calls without a price, and the report all of them", () => {
  const facts = usageFacts([
    sessionRecord({ session_id: "a", estimator: "one" }),
    callRecord({ session_id: "a", seq: 1, model: "x" }),
    sessionRecord({ session_id: "b", estimator: "two" }),
    callRecord({ session_id: "b", seq: 1, model: "x" }),
    callRecord({ session_id: "b", seq: 2, model: "y" }),
  ]);
  const report = makeReport(facts, usagePlan({ tables: [], prices: madePrices() }));
  expect(report.blocks.map(({ unpriced }) => unpriced)).toEqual([
    [{ model: "x", calls: 1 }],
    [
      { model: "x", calls: 1 },
      { model: "y", calls: 1 },
    ],
  ]);
  expect(report.cost?.unpriced).toEqual([
    { model: "x", calls: 2 },
    { model: "y", calls: 1 },
  ]);
});

test("property: the costs of the rows of any axis add up to the total", () => {
  const call = record({
    session_id: constantFrom("a", "b", "c"),
    tool: constantFrom("read", "write"),
    server: constantFrom("garden", "shed"),
    model: constantFrom("opus", "flat", "other"),
    ts: constantFrom("2026-09-01T12:00:00.000Z", "2026-09-08T12:00:00.000Z"),
    input_tokens: integer({ min: 0, max: 100_000 }),
    output_tokens: integer({ min: 0, max: 100_000 }),
  });
  assert(
    property(array(call, { minLength: 1, maxLength: 30 }), (madeCalls) => {
      const calls = madeCalls.map((facts, seq) => callRecord({ ...facts, seq }));
      const tables = axes.map((axis) => ({ by: [axis], order: undefined, top: undefined }));
      const plan = usagePlan({ tables, prices: madePrices() });
      const { sum: block } = makeReport(usageFacts(calls), plan);
      for (const { rows } of block.tables) {
        for (const end of ["low", "high"] as const) {
          const sum = rows.reduce((all, { cost_usd: cost }) => all + (cost?.[end] ?? 0), 0);
          expect(sum).toBeCloseTo(block.totals.cost_usd?.[end] ?? 0, 9);
        }
      }
    }),
    { numRuns: 100 },
  );
});

test("without prices a report says nothing about money", () => {
  const tables = [{ by: ["tool"], order: undefined, top: undefined }] as const;
  const report = makeReport(usageFacts([sessionRecord(), callRecord()]), usagePlan({ tables }));
  expect(JSON.stringify(report)).not.toContain("cost");
});
