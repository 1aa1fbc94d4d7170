import { expect, test } from "bun:test";
import { createReaderChooser } from "#commands/reader-chooser.ts";
import { describeReaderEstimation } from "#tokens/cost/reader.ts";
import { estimatorIds } from "#tokens/estimators/ids.ts";
import type { BudgetState, EndRecord } from "#records/record.ts";
import type { Summary } from "#records/summary.ts";
import { listSummaryNotes } from "#screens/renderers/documents/summary-notes.ts";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { escapeForTerminal } from "#screens/renderers/terminal.ts";
import {
  alertRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
} from "../../../support/made-records.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { madePrices } from "../../../support/made-prices.ts";
import { summaryOf } from "../../../support/play.ts";
import { recordedTextColumnsMax } from "#screens/renderers/documents/shared-texts.ts";

function printNotes(summary: Summary): string[] {
  return listSummaryNotes(summary, makeTokenFormat(true)).map(
    ({ label, text }) => `${escapeForTerminal(label)}: ${escapeForTerminal(text)}`,
  );
}

test("refused calls have a note with their tokens, and are in the context", () => {
  const refused = { outcome: "refused", input_tokens: 7, output_tokens: 20 } as const;
  const calls = [callRecord(), callRecord(refused), callRecord(refused)];
  const notes = printNotes(summaryOf([sessionRecord(), definitionsRecord(), ...calls]));
  expect(notes).toContain(
    "refused: 2 calls, 2 after they ran; token budgets, avg, max and p95 leave out refused calls and the ~54 tokens of their arguments and refusals",
  );
  expect(notes[0]).toContain("~164 in calls");
});

test("the stated error of every estimator is whole, for every reader", () => {
  for (const tokenizer of estimatorIds) {
    for (const client of ["codex", "claude-code", "golden-host"]) {
      const reading = { tokenizer, model: undefined, client, windowTokens: undefined };
      const reader = createReaderChooser(reading)(undefined);
      const { confidence, error } = describeReaderEstimation(reader);
      const session = sessionRecord({ estimator: tokenizer, confidence, estimation_error: error });
      const notes = printNotes(summaryOf([session, callRecord()]));
      expect(notes.at(-1)).toContain(` ${error}; ~ marks estimates`);
    }
  }
});

test("a stated error in a record is bounded: a file may hold any text", () => {
  const long = "x".repeat(recordedTextColumnsMax + 1);
  const notes = printNotes(summaryOf([sessionRecord({ estimation_error: long }), callRecord()]));
  expect(notes.at(-1)).not.toContain(long);
  const most = long.slice(1);
  const whole = printNotes(summaryOf([sessionRecord({ estimation_error: most }), callRecord()]));
  expect(whole.at(-1)).toContain(most);
});

test("a short session has one note", () => {
  const exact = sessionRecord({ is_estimated: false, confidence: "high" });
  expect(printNotes(summaryOf([exact, callRecord()]))).toEqual([
    "counted by: chars3 ●●● a rough rule",
  ]);
  expect(printNotes(summaryOf([]))).toEqual([]);
});

test("answers that say something about themselves have a note for each tool, up to three", () => {
  const table = { rows: 1_500, columns: 3, truncated: true, cached_result: true, row_limit: 1_000 };
  const tools = ["a", "b", "c", "d"].map((tool) => callRecord({ tool, shape: table }));
  const others = [
    callRecord({ tool: "a", shape: { ...table, rows: 500 } }),
    callRecord({ tool: "one", shape: { rows: 1, columns: 3, truncated: false } }),
  ];
  const notes = printNotes(summaryOf([...tools, ...others]));
  expect(notes.filter((note) => note.startsWith("data shape"))).toEqual([
    "data shape: a: 2 tables of up to 1,500 rows and 3 columns, 1,000 rows on average; 2 answers truncated; 2 answers from a cache; row limits up to 1,000; 1 table reached the limit",
    ...["b", "c"].map(
      (tool) =>
        `data shape: ${tool}: 1 table of 1,500 rows and 3 columns; 1 answer truncated; 1 answer from a cache; row limits up to 1,000; 1 table reached the limit`,
    ),
    "data shape: and 1 more tool; use --summary json to list all",
  ]);
});

test("calls of an unknown client that may be more than twice as large have a range, and a note", () => {
  const image = callRecord({ input_tokens: 10, output_tokens: 20, most_tokens: 500 });
  const text = callRecord({ tool: "echo", input_tokens: 10, output_tokens: 20, most_tokens: 60 });
  const notes = printNotes(summaryOf([sessionRecord(), definitionsRecord(), image, text]));
  expect(notes[0]).toMatch(/^in context: ~[\d,]+(…[\d,]+)? tokens, .* ~60…560 in calls$/);
  expect(notes.filter((note) => note.startsWith("note: the upper end of a range"))).toHaveLength(1);
  expect(printNotes(summaryOf([text])).filter((note) => note.includes("range"))).toEqual([]);
});

test("a server without tools has no note about definitions", () => {
  const notes = printNotes(summaryOf([definitionsRecord({ tools: [] })]));
  expect(notes.filter((note) => note.startsWith("listed"))).toEqual([]);
});

test.each([
  ["complete", 2, undefined],
  ["complete", 0, "empty: the server has no tools"],
  ["none", 0, undefined],
  ["failed", 0, "failed"],
  ["failed", 2, "failed after 2 tools"],
  ["cut_short", 2, "cut short after 2 tools: later pages were not requested or not answered"],
] as const)("a list that is %s with %d tools", (state, tools, text) => {
  const made = tools === 0 ? { tools: [] } : {};
  const record = definitionsRecord({
    ...made,
    list_state: state,
    is_complete: state === "complete",
  });
  const notes = printNotes(summaryOf([record])).filter((note) => note.startsWith("tool list"));
  expect(notes).toEqual(text === undefined ? [] : [`tool list: ${text}`]);
});

test("a list that changed between calls has a note with what is written again, and its price if it has one", () => {
  const change = { list_change: { kind: "order", rewritten_tokens: 42_000 } } as const;
  const calls = [callRecord(change), callRecord(), callRecord(change)];
  const notes = (model: string | null, prices?: PriceBook) =>
    printNotes(summaryOf([sessionRecord({ model }), ...calls], prices)).filter((note) =>
      note.startsWith("tool list"),
    );
  const text =
    "tool list: changed 2 times between calls, so at least ~84,000 tokens of the prompt were written to the cache again";
  expect(notes("opus")).toEqual([text]);
  expect(notes("opus", madePrices())).toEqual([`${text}, ~$0.48`]);
  expect(notes(null, madePrices())).toEqual([text]);
});

test("the list of one of several servers names it", () => {
  const failed = { tools: [], is_complete: false, list_state: "failed" } as const;
  const records = [definitionsRecord(), definitionsRecord({ server: "shed", ...failed })];
  expect(printNotes(summaryOf(records))).toContain("tool list: shed: failed");
});

test("several sessions have no context in common", () => {
  const summary = summaryOf([
    sessionRecord(),
    definitionsRecord(),
    sessionRecord({ session_id: "b" }),
  ]);
  expect(printNotes(summary).filter((note) => note.startsWith("in context"))).toEqual([]);
});

const makeState = (budget: string, overrides: Partial<BudgetState>): BudgetState => ({
  budget,
  tool: null,
  limit: 100,
  unit: "tokens",
  per: "session",
  action: "error",
  spent: 0,
  breaches: 0,
  ...overrides,
});

test("a budget of a tool names the tool", () => {
  const overrides = {
    tool: "fetch_page",
    limit: 20,
    unit: "calls",
    spent: 5,
    breaches: 2,
  } as const;
  const budgets = [makeState("fetch_*=20calls/day", overrides)];
  expect(printNotes(summaryOf([endRecord({ budgets })]))).toEqual([
    "budget: fetch_*=20calls/day for fetch_page: 5 of 20 calls spent, 2 breaches",
  ]);
});

const printSpent = (session: string, told: Partial<EndRecord>, ...budgets: BudgetState[]) =>
  endRecord({ session_id: session, ...told, budgets });

test("budgets of several sessions have one line each", () => {
  const told = (spent: number) => [
    makeState("100/session", { spent, breaches: 1 }),
    makeState("100", { per: "call", spent: spent + 1 }),
    makeState("s*=100/day", { per: "day", tool: "search", spent: 60 + spent }),
  ];
  const records = [
    ...[97, 31, 5].map((spent, at) =>
      printSpent(`s${at}`, { ts: `2026-01-01T00:00:0${at}.000Z` }, ...told(spent)),
    ),
    printSpent("alone", {}, makeState("9/session", { limit: 9, spent: 2 })),
  ];
  expect(printNotes(summaryOf(records))).toEqual([
    "budget: 100/session: 97 of 100 tokens spent in the costliest of 3 sessions, 3 breaches",
    "budget: 100: 98 of 100 tokens in the largest call of 3 sessions",
    "budget: s*=100/day for search: 65 of 100 tokens spent",
    "budget: 9/session: 2 of 9 tokens spent",
  ]);
});

test("budgets of several servers name theirs, except those of all servers", () => {
  const records = ["one", "two"].map((server, at) =>
    printSpent(
      server,
      { server, ts: `2026-01-01T00:00:0${at}.000Z` },
      makeState("100/session", { spent: at }),
      makeState("f=100/day", { per: "day", tool: "f", spent: at }),
      makeState("all=100/day", { per: "day", spent: at }),
    ),
  );
  expect(printNotes(summaryOf(records))).toEqual([
    "budget: 100/session for one: 0 of 100 tokens spent",
    "budget: f=100/day for one · f: 0 of 100 tokens spent",
    "budget: all=100/day: 1 of 100 tokens spent",
    "budget: 100/session for two: 1 of 100 tokens spent",
    "budget: f=100/day for two · f: 1 of 100 tokens spent",
  ]);
});

test("an alert about no tool is its detail alone, and a long detail is clipped", () => {
  const notes = printNotes(summaryOf([alertRecord({ tool: null, detail: "x".repeat(500) })]));
  expect(notes).toEqual([`heavy call: ${"x".repeat(159)}…`]);
});

test.each([
  ["definitions_changed", "definitions changed"],
  ["would_truncate", "client limit"],
  ["would_spill", "client limit"],
] as const)("the label of the alert %s is %s", (alert, label) => {
  const notes = printNotes(summaryOf([alertRecord({ alert, detail: "x" })]));
  expect(notes).toEqual([`${label}: search: x`]);
});

function printRepeats(...saved: readonly (number | undefined)[]): string {
  const calls = saved.map((tokens) =>
    callRecord({
      arguments_sha256: "1",
      ...(tokens === undefined ? {} : { saved_tokens: tokens }),
    }),
  );
  return printNotes(summaryOf(calls)).find((text) => text.startsWith("repeated: ")) ?? "";
}

test("answers that became notes are named with what they saved", () => {
  expect(printRepeats(undefined, undefined)).toEndWith("; most often search");
  expect(printRepeats(undefined, 3_000)).toEndWith(
    "; 1 unchanged answer replaced by a short note: ~3,000 tokens saved",
  );
  expect(printRepeats(undefined, 3_000, undefined, 3_240)).toEndWith(
    "; most often search; 2 unchanged answers replaced by short notes: ~6,240 tokens saved",
  );
});

test("compact JSON is worth a note with its share of the answers", () => {
  const overhead = {
    user_only_tokens: 0,
    preamble_tokens: 0,
    json_tokens: 3_000,
    minified_tokens: 1_800,
    structure_ratio: 0.6,
  };
  const heavy = callRecord({ output_tokens: 3_150, overhead });
  const notes = printNotes(summaryOf([sessionRecord(), heavy, callRecord({ tool: "fetch" })]));
  expect(notes.filter((note) => note.startsWith("compact JSON"))).toEqual([
    "compact JSON: search: minified JSON would save 38% (~1,200 tokens)",
  ]);
});
