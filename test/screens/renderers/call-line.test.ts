import { expect, test } from "bun:test";
import {
  formatCallLine,
  formatCallLineHeads,
  type CallLineOptions,
} from "#screens/renderers/call-line.ts";
import { displayWidth } from "#kit/text/columns.ts";
import { callRecord } from "../../support/made-records.ts";

const paper: CallLineOptions = {
  color: false,
  columns: undefined,
  formatLocalTime: (ts) => [ts.slice(0, 10), ts.slice(11, 19)],
  today: "2026-09-01",
};

const context = { tokens: 1_532, share: 0.1 };

const printLine = (
  overrides: Parameters<typeof callRecord>[0] = {},
  on: Partial<CallLineOptions> = {},
): string => formatCallLine({ call: callRecord(overrides), context }, { ...paper, ...on });

test("a line has time, server, tool, tokens, duration, outcome and context, below their heads", () => {
  const heads = formatCallLineHeads(paper);
  const text = printLine({ input_tokens: 12, output_tokens: 345, duration_ms: 250 });
  expect(heads.split(/ {2,}/)).toEqual([
    "time",
    "server",
    "tool",
    "tokens",
    "duration",
    "outcome",
    "context\n",
  ]);
  expect(text.split(/ {2,}/)).toEqual([
    "12:00:00",
    "garden",
    "search",
    "~12 → ~345",
    "250 ms",
    "ok",
    "~1,532\n",
  ]);
  expect(text.length).toBe(heads.length);
});

test("a range where an unknown client may read more than twice as much", () => {
  const overrides = { input_tokens: 5, output_tokens: 16, total_tokens: 21 };
  expect(printLine({ ...overrides, most_tokens: 5_399 })).toContain(" ~5 → ~16…5,394 ");
  expect(printLine({ ...overrides, most_tokens: 5 + 2 * 16 })).toContain(" ~5 → ~16 ");
});

test("an exact count has no mark, a method stands for a tool, and another day is named", () => {
  const overrides = {
    is_estimated: false,
    tool: null,
    method: "resources/read",
    ts: "2026-08-31T23:59:59.000Z",
  };
  expect(printLine(overrides).split(/ {2,}/)).toMatchObject({
    0: "2026-08-31 23:59:59",
    2: "resources/read",
    3: "10 → 100",
  });
});

test("a narrow terminal cuts names, a pipe does not", () => {
  const overrides = { tool: "t".repeat(100), server: "s".repeat(60) };
  for (const columns of [80, 100, 200]) {
    const text = printLine(overrides, { columns }).trimEnd();
    expect(displayWidth(text)).toBeLessThanOrEqual(Math.max(columns, 84));
    expect(text).toContain("…");
  }
  expect(printLine(overrides)).toContain(`${"s".repeat(60)}  ${"t".repeat(100)}  `);
});

test("the date of another day leaves less room for names", () => {
  const overrides = { tool: "t".repeat(100), server: "s".repeat(60), ts: "2026-08-31T23:59:59Z" };
  expect(displayWidth(printLine(overrides, { columns: 100 }).trimEnd())).toBe(100);
});

test("wide characters keep the columns", () => {
  const [plain, wide] = [printLine({ tool: "abcd" }), printLine({ tool: "検索" })];
  expect(displayWidth(wide)).toBe(displayWidth(plain));
});

test("hostile names are made safe", () => {
  const hostile = "\u001b[2J\u202e\n::error::";
  const text = printLine({ tool: hostile, server: hostile });
  expect(text.trimEnd()).not.toMatch(/[\n\u202e]/);
  expect(text).not.toContain("\u001b");
  expect(printLine({ tool: "" })).toContain("(no name)");
});

test("colours show failures and a full window, and nothing else", () => {
  expect(printLine({}, { color: true })).toBe(printLine());
  expect(printLine({ outcome: "tool_error" }, { color: true })).toContain(
    "\u001b[31mtool_error\u001b[0m",
  );
  expect(printLine({ outcome: "refused" }, { color: true })).toContain(
    "\u001b[33mrefused\u001b[0m",
  );
  for (const [share, paint] of [
    [0.49, ""],
    [0.5, "\u001b[33m"],
    [0.8, "\u001b[31m"],
  ] as const) {
    const shown = { call: callRecord(), context: { tokens: 5, share } };
    const text = formatCallLine(shown, { ...paper, color: true });
    expect(text.includes("\u001b")).toBe(paint !== "");
    expect(text).toContain(paint);
    expect(formatCallLine(shown, paper)).not.toContain("\u001b");
  }
});

test("lines of large calls fit a terminal of 80 columns", () => {
  const large = { input_tokens: 1_234, output_tokens: 41_000, duration_ms: 5.32 };
  const names = { server: "github-enterprise", tool: "search_the_whole_archive" };
  for (const text of [
    printLine({ ...large, ...names }, { columns: 80 }),
    formatCallLineHeads({ columns: 80 }),
  ])
    expect(displayWidth(text.trimEnd())).toBeLessThanOrEqual(80);
});
