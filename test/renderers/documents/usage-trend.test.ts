import { expect, test } from "bun:test";
import { tokenFormat } from "#renderers/documents/token-format.ts";
import { trendSections } from "#renderers/documents/usage-trend.ts";
import { fitDocument } from "#renderers/fit-document.ts";
import { renderTerminal } from "#renderers/terminal.ts";
import type { TrendRow, UsageTrend } from "#reports/usage-report.ts";

const side = (calls: number, each: number) => ({
  calls,
  tokens: calls * each,
  tokens_per_call: calls === 0 ? null : each,
});

const row = (told: Partial<TrendRow>): TrendRow => ({
  server: "garden",
  method: "tools/call",
  tool: "search",
  before: side(20, 100),
  now: side(30, 120),
  change: 0.2,
  daily_tokens: [0, 3_600],
  ...told,
});

const trend: UsageTrend = {
  before: { since: null, until: null, first: null, last: null },
  days: ["2026-11-21", "2026-11-22"],
  rows: [
    row({ method: null, tool: null, change: -0.5 }),
    row({}),
    row({ tool: "fetch", before: side(0, 0), change: null }),
    row({ tool: "same", change: 0.0001 }),
  ],
  more: 2,
};

function lines(isTerminal: boolean, columns?: number): string[] {
  const sections = trendSections(trend, tokenFormat(true), isTerminal);
  const document = fitDocument({ title: "t", sections }, columns);
  return renderTerminal(document, { color: false }).trimEnd().split("\n").slice(2);
}

test("an arrow and a share, an equals sign, or nothing; bars on a terminal alone", () => {
  expect(lines(true, 120)).toEqual([
    "server  tool    calls before  calls  a call before  a call  change  by day",
    "garden  (all)             20     30           ~100    ~120   ↓ 50%  ▁█",
    "garden  search            20     30           ~100    ~120   ↑ 20%  ▁█",
    "garden  fetch              0     30                   ~120          ▁█",
    "garden  same              20     30           ~100    ~120       =  ▁█",
    "",
    "2 more rows; use --format json to list all",
  ]);
  expect(lines(false)[1]).toBe(
    "garden  (all)             20     30           ~100    ~120   ↓ 50%",
  );
});

test("on a narrow terminal the change stays", () => {
  expect(lines(true, 40)[0]).toBe("server  tool    a call  change");
});
