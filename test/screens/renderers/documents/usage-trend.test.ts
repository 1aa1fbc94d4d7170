import { expect, test } from "bun:test";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { buildTrendSections } from "#screens/renderers/documents/usage-columns.ts";
import { fitDocument, renderTerminal } from "#screens/renderers/terminal.ts";
import type { TrendRow, UsageTrend } from "#history/reports/usage-report.ts";

const makeSide = (calls: number, each: number) => ({
  calls,
  tokens: calls * each,
  tokens_per_call: calls === 0 ? null : each,
});

const makeRow = (overrides: Partial<TrendRow>): TrendRow => ({
  server: "garden",
  method: "tools/call",
  tool: "search",
  before: makeSide(20, 100),
  now: makeSide(30, 120),
  change: 0.2,
  daily_tokens: [0, 3_600],
  ...overrides,
});

const trend: UsageTrend = {
  before: { since: null, until: null, first: null, last: null },
  days: ["2026-11-21", "2026-11-22"],
  rows: [
    makeRow({ method: null, tool: null, now: makeSide(90, 100), change: -0.5 }),
    makeRow({}),
    makeRow({ tool: "fetch", before: makeSide(0, 0), change: null }),
    makeRow({ tool: "same", change: 0.0001 }),
  ],
  more: 2,
  total: { before: makeSide(60, 50), now: makeSide(90, 100), change: 1 },
  definitions: { rows: [], more: 0, lists_left_out: 0 },
};

const lists = (count: number, tokens: number | null) => ({ lists: count, tokens_per_list: tokens });

const definitions: UsageTrend["definitions"] = {
  rows: [
    { server: "garden", tool: null, before: lists(4, 200), now: lists(6, 240), change: 0.2 },
    { server: "garden", tool: "dig", before: lists(0, null), now: lists(6, 30), change: null },
    { server: "garden", tool: "rake", before: lists(4, 40), now: lists(0, null), change: null },
    { server: "house", tool: null, before: lists(1, 90), now: lists(1, 90), change: 0 },
  ],
  more: 1,
  lists_left_out: 2,
};

function lines(isTerminal: boolean, columns?: number, given: UsageTrend = trend): string[] {
  const sections = buildTrendSections(given, makeTokenFormat(true), isTerminal);
  const document = fitDocument({ title: "t", sections }, columns);
  return renderTerminal(document, { color: false }).trimEnd().split("\n").slice(2);
}

test("an arrow and a share, an equals sign, or a dash; bars on a terminal alone", () => {
  expect(lines(true, 140)).toEqual([
    "server  tool    tokens before  tokens  change  calls  per call before  per call  per call change  by day",
    "garden  (all)          ~2,000  ~9,000  ↑ 350%     90             ~100      ~100            ↓ 50%  ▁█",
    "garden  search         ~2,000  ~3,600   ↑ 80%     30             ~100      ~120            ↑ 20%  ▁█",
    "garden  fetch               –  ~3,600     new     30                –      ~120                –  ▁█",
    "garden  same           ~2,000  ~3,600   ↑ 80%     30             ~100      ~120                =  ▁█",
    "total                  ~3,000  ~9,000  ↑ 200%     90              ~50      ~100           ↑ 100%",
    "",
    "2 more rows; --top N prints the N largest",
  ]);
  expect(lines(false)[1]).toBe(
    "garden  (all)          ~2,000  ~9,000  ↑ 350%     90             ~100      ~100            ↓ 50%",
  );
});

test("on a narrow terminal the tokens and their change stay", () => {
  expect(lines(true, 32)[0]).toBe("server  tool    tokens  change");
});

test("a server with one tool has one row", () => {
  const rows = [makeRow({ method: null, tool: null }), makeRow({})];
  expect(lines(false, undefined, { ...trend, rows, more: 0 }).slice(1)).toEqual([
    "garden  search         ~2,000  ~3,600   ↑ 80%     30             ~100      ~120            ↑ 20%",
  ]);
});

test("definitions have the number of lists on both sides, and tools that are new or gone", () => {
  expect(lines(false, undefined, { ...trend, rows: [], more: 0, definitions })).toEqual([
    "server  definitions of  lists before  lists  per list before  per list  change",
    "garden  (all)                      4      6             ~200      ~240   ↑ 20%",
    "garden  dig                        0      6                –       ~30     new",
    "garden  rake                       4      0              ~40         –    gone",
    "house   (all)                      1      1              ~90       ~90       =",
    "",
    "1 more row; --top N prints the N largest",
  ]);
});
