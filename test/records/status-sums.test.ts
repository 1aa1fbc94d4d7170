import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { addUp } from "#kit/text/numbers.ts";
import { Ledger } from "#records/ledger.ts";
import { findListedPrices } from "#records/money/listed-prices.ts";
import { noCost, PriceBook } from "#records/money/price-book.ts";
import type { MeterRecord } from "#records/record.ts";
import { StatusFold, statusPricesMax, statusServersMax } from "#records/status-sums.ts";
import {
  callRecord,
  definitionsRecord,
  everyRecord,
  sessionRecord,
  toolDefinition,
} from "../support/made-records.ts";

const model = "claude-opus-5";
const tools = [{ pattern: "paid*", dollars: 0.25 }];
const book = new PriceBook("test", [findListedPrices], tools);

type Options = ConstructorParameters<typeof StatusFold>[0];

function fold(records: readonly unknown[], options: Partial<Options> = {}): StatusFold {
  const folded = new StatusFold({
    model: undefined,
    since: "",
    findToolPrice: () => 0,
    ...options,
  });
  for (const record of records) folded.add(record);
  return folded;
}

function note(asked: string[], name: string): undefined {
  asked.push(name);
}

const serverNames = fc.constantFrom("github", "memory", "a\nb");
const toolNames = fc.constantFrom("search", "fetch", "paid_search");
const outcomes = fc.constantFrom("ok", "tool_error", "cancelled", "refused", "abandoned");
const days = fc.constantFrom("2026-11-20", "2026-11-21");

const calls = fc
  .record({
    tool: toolNames,
    method: fc.constantFrom("tools/call", "prompts/get"),
    outcome: outcomes,
    input_tokens: fc.nat(1_000),
    output_tokens: fc.nat(100_000),
    output_bytes: fc.nat(1),
    ts: days.map((day) => `${day}T10:00:00.000Z`),
  })
  .map(callRecord);

const definitions = fc
  .record({ deferred: fc.boolean(), sizes: fc.array(fc.nat(500), { maxLength: 3 }) })
  .map(({ deferred, sizes }) => {
    const listed = sizes.map((tokens, at) =>
      toolDefinition(["search", "fetch", "x"][at] ?? "", tokens),
    );
    return definitionsRecord({
      tools: listed,
      is_deferred: deferred,
      ...(deferred ? { resident_tokens: listed.length } : {}),
    });
  });

const sessions = fc.array(
  fc.record({
    server: serverNames,
    model: fc.constantFrom(null, "gpt-5.5"),
    records: fc.array(fc.oneof(calls, definitions), { maxLength: 12 }),
  }),
  { minLength: 1, maxLength: 5 },
);

function sumUp(records: readonly MeterRecord[]) {
  const folded = fold(records, { model, findToolPrice: (tool) => book.findToolPrice(tool) });
  const { servers, ...sums } = folded.summarize();
  return {
    ...sums,
    tokens: addUp(servers.map(({ tokens }) => tokens)),
    cost: folded.price((...call) => book.find(...call)) ?? noCost,
  };
}

// As `report --model` counts calls without a model.
function sumUpLedger(records: readonly MeterRecord[]) {
  const ledger = new Ledger(book);
  for (const record of records)
    ledger.add(record.type === "session" ? { ...record, model: record.model ?? model } : record);
  const { total, definitions: listed } = ledger.summarize();
  const inContext = listed ? listed.resident_tokens + listed.loaded_tokens : 0;
  const { calls: counted, refused, total_tokens: called, cost_usd: cost } = total;
  return {
    calls: counted,
    refused,
    isEstimated: true,
    tokens: inContext + called,
    cost: cost ?? noCost,
  };
}

test("the sums are those of the summary of the same records", () => {
  const property = fc.property(sessions, (made) => {
    const records = made.flatMap(({ server, model: named, records: rest }, at): MeterRecord[] => {
      const common = { session_id: `session-${at}`, server };
      const first = sessionRecord({ ...common, model: named });
      return [first, ...rest.map((record, seq) => ({ ...record, ...common, seq: seq + 1 }))];
    });
    const { cost, ...sums } = sumUp(records);
    const { cost: expected, ...ledgerSums } = sumUpLedger(records);
    expect(sums).toEqual(ledgerSums);
    expect(cost.low).toBeCloseTo(expected.low, 9);
    expect(cost.high).toBeCloseTo(expected.high, 9);
  });
  fc.assert(property, { seed: 20_261_128, numRuns: 300 });
});

describe("StatusFold", () => {
  test("each server has its own tokens", () => {
    const records = [
      definitionsRecord({ server: "github" }),
      callRecord({ server: "github" }),
      callRecord({ server: "memory" }),
    ];
    expect(fold(records).summarize().servers).toEqual([
      { name: "github", tokens: 270 },
      { name: "memory", tokens: 110 },
    ]);
  });

  test("calls before a time do not count, definitions do", () => {
    const [before, since] = ["2026-09-01T12:00:00.000Z", "2026-09-01T12:00:00.001Z"].map((ts) =>
      callRecord({ ts, outcome: "refused" }),
    );
    const records = [definitionsRecord(), before, since];
    const { servers, ...sums } = fold(records, { since: "2026-09-01T12:00:00.001Z" }).summarize();
    expect(servers).toEqual([{ name: "garden", tokens: 270 }]);
    expect(sums).toEqual({ calls: 1, refused: 1, isEstimated: false });
  });

  const models = [
    ["a", { model: "a" }, { model: "b" }, "c"],
    ["b", {}, { model: "b" }, "c"],
    ["c", {}, {}, "c"],
    ["none", {}, {}, undefined],
  ] as const;
  test.each(models)("the model of a call is %s", (expected, call, session, client) => {
    const asked: string[] = [];
    const records = [sessionRecord(session), callRecord(call)];
    fold(records, { model: client }).price((name) => note(asked, name));
    expect(asked.join() || "none").toBe(expected);
  });

  test("nothing is priced without a price", () => {
    expect(fold([callRecord()], {}).price(() => undefined)).toBeNull();
    expect(fold(everyRecord).price((...named) => book.find(...named))).toBeNull();
  });

  test("values that are not records count as nothing", () => {
    const values = [
      null,
      7,
      "call",
      [callRecord()],
      {},
      { type: "call" },
      { ...callRecord(), server: 7 },
      { ...callRecord(), ts: null },
      { ...callRecord(), total_tokens: "110" },
      { ...callRecord(), output_tokens: null },
      { ...definitionsRecord(), tools: {} },
      { ...sessionRecord(), session_id: null },
    ];
    expect(fold(values).summarize()).toEqual({
      servers: [],
      calls: 0,
      refused: 0,
      isEstimated: false,
    });
  });

  test(`at most ${statusServersMax} servers and ${statusPricesMax} prices`, () => {
    const folded = fold([]);
    for (let at = 0; at <= statusServersMax; at += 1)
      folded.add(callRecord({ server: `server-${at}`, model: `model-${at}` }));
    const asked: string[] = [];
    folded.price((name) => note(asked, name));
    expect(folded.summarize().servers).toHaveLength(statusServersMax);
    expect(asked).toHaveLength(statusPricesMax);
    expect(folded.summarize().calls).toBe(statusServersMax + 1);
  });
});
