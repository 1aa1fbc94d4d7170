import { expect, test } from "bun:test";
import { PriceBook } from "#money/price-book.ts";
import { tokenPrices } from "#money/token-prices.ts";
import { Cube } from "#reports/cube.ts";
import { withImported } from "#reports/imported/imported-facts.ts";
import { ImportedHistory } from "#reports/imported/imported-history.ts";
import { WireMatches } from "#reports/imported/wire-matches.ts";
import { makeReport } from "#reports/make-report.ts";
import { TimeZone } from "#reports/time-zone.ts";
import type { ImportedRecord } from "#records/imported-record.ts";
import type { CallRecord } from "#records/record.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { call, noon, threeTurns } from "./made-history.ts";

const zone = new TimeZone("UTC");
const all = { fromMs: -Infinity, toMs: Infinity };
const opus = tokenPrices({ input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25 });
const prices = new PriceBook("test", [() => opus]);

function reportOf(imported: readonly ImportedRecord[], wire: readonly CallRecord[] = []) {
  const history = new ImportedHistory();
  for (const record of imported) history.add(record);
  const matches = new WireMatches(history);
  const cube = new Cube({ ranges: [all], zone });
  if (wire.length > 0) cube.add(sessionRecord({ estimator: "claude" }));
  for (const record of wire) {
    cube.add(record);
    matches.offer(record);
  }
  const plan = { ranges: [all], zone, prices };
  const facts = withImported(cube.facts(), history, matches.pairs(), plan);
  return makeReport(facts, {
    tables: [{ by: ["tool"], order: undefined, top: undefined }],
    filters: { servers: [], tools: [], clients: [] },
    range: all,
    zone,
    prices,
    trend: undefined,
  });
}

test("calls of a log are calls, with the cost of their turns", () => {
  const { blocks, cost } = reportOf([
    ...threeTurns,
    call(0),
    call(1, { tool: "fetch", read_by: null }),
  ]);
  expect(blocks).toHaveLength(1);
  expect(blocks[0]?.totals).toMatchObject({
    sessions: 1,
    calls: 2,
    output_tokens: 2_000,
    imported_calls: 2,
    paired_calls: 0,
    rereads: 1,
  });
  const [low, high] = [blocks[0]?.totals.cost_usd?.low, blocks[0]?.totals.cost_usd?.high];
  expect(low).toBe(high ?? 0);
  expect(low).toBeGreaterThan(0.006);
  expect(cost?.unpriced).toEqual([]);
});

test("a call on the wire and in a log counts once, with the tokens of the wire", () => {
  const ts = new Date(noon + 400).toISOString();
  const wire = callRecord({
    ts,
    server: "docs",
    tool: "search",
    call_id_sha256: "id-0",
    input_tokens: 11,
    output_tokens: 999,
    model: "claude-opus-4-8",
  });
  const { blocks } = reportOf([...threeTurns, call(0), call(1)], [wire]);
  expect(blocks[0]?.totals).toMatchObject({
    calls: 2,
    output_tokens: 1_999,
    imported_calls: 1,
    paired_calls: 1,
  });
  const [row] = blocks[0]?.tables[0]?.rows ?? [];
  expect(row).toMatchObject({ server: "docs", tool: "search", calls: 2 });
  expect(row?.cost_usd?.low).toBe(row?.cost_usd?.high ?? 0);
});

test("repeats, and calls without a count of tokens", () => {
  const same = { arguments_sha256: "same" };
  const { blocks } = reportOf([
    call(0, same),
    call(1, same),
    call(2, { output_tokens: null, input_tokens: null }),
  ]);
  expect(blocks[0]?.totals).toMatchObject({
    calls: 3,
    repeated_calls: 1,
    repeated_tokens: 1_010,
    total_tokens: 2_020,
  });
});

test("estimators are apart", () => {
  const { blocks } = reportOf([call(0), call(1, { estimator: "o200k" })]);
  expect(blocks.map(({ estimation, totals }) => [estimation?.estimator, totals.calls])).toEqual([
    ["claude", 1],
    ["o200k", 1],
  ]);
});
