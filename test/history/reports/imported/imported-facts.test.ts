import { expect, test } from "bun:test";
import { array, assert, boolean, constantFrom, integer, property, record } from "fast-check";
import { PriceBook, completePrices } from "#records/money/price-book.ts";
import { Cube } from "#history/reports/usage-cube.ts";
import { addImportedFacts } from "#history/reports/imported/imported-facts.ts";
import { ImportedHistory, KnownDefinitions } from "#history/reports/imported/imported-history.ts";
import { WireMatches } from "#history/reports/imported/wire-matches.ts";
import { makeReport, type ReportPlan } from "#history/reports/make-report.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import type { ImportedRecord, CallRecord } from "#records/record.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../../../support/made-records.ts";
import { knownFrom, opusPrices } from "./cost-plan.ts";
import { call, conversation, noon, threeTurns, toolList, turn } from "./made-history.ts";

const zone = new TimeZone("UTC");
const all = { fromMs: -Infinity, toMs: Infinity };
const opus = completePrices({ input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25 });
const prices = new PriceBook("test", [() => opus]);

function makeImportedReport(
  imported: readonly ImportedRecord[],
  wire: readonly CallRecord[] = [],
  choices: Partial<ReportPlan> = {},
) {
  const history = new ImportedHistory();
  for (const importedRecord of imported) history.add(importedRecord);
  const matches = new WireMatches(history);
  const cube = new Cube({ ranges: [all], zone });
  if (wire.length > 0) cube.add(sessionRecord({ estimator: "claude" }));
  for (const wireRecord of wire) {
    cube.add(wireRecord);
    matches.offer(wireRecord);
  }
  const plan = { ranges: [all], zone, prices };
  const known = new KnownDefinitions(cube.listDefinitions());
  const usage = { history, matchedCalls: matches.findPairs(), known };
  const { facts } = addImportedFacts(cube.makeFacts(), usage, plan);
  return makeReport(facts, {
    tables: [{ by: ["tool"], order: undefined, top: undefined }],
    filters: { servers: [], tools: [], clients: [] },
    range: all,
    zone,
    prices,
    trend: undefined,
    ...choices,
  });
}

test("calls of a log are counted, with the cost of their turns", () => {
  const { blocks, cost } = makeImportedReport([
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

test("a call on the wire and in a log counts once, with its tokens on the wire", () => {
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
  const { blocks } = makeImportedReport([...threeTurns, call(0), call(1)], [wire]);
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

test("equal calls of a session and its log, a few seconds apart, count once each", () => {
  const requests = ["a", "b", "c", "a", "a", "b", "a", "c"];
  const facts = requests.map((hash, seq) => {
    return { arguments_sha256: hash.repeat(64), ts: new Date(noon + seq * 4_000).toISOString() };
  });
  const wire = facts.map((fact, at) =>
    callRecord({ ...fact, seq: at + 1, server: "docs", tool: "search", input_tokens: 5 }),
  );
  const logged = facts.map((fact, seq) => {
    const ts = new Date(Date.parse(fact.ts) + (seq % 2 === 0 ? 10 : -10)).toISOString();
    return call(seq, { ...fact, ts });
  });
  const alone = makeImportedReport([], wire).sum.totals;
  const together = makeImportedReport(logged, wire).sum.totals;
  expect(alone).toMatchObject({ sessions: 1, calls: 8, repeated_calls: 5 });
  expect(together).toMatchObject({ ...alone, imported_calls: 0, paired_calls: 8 });
});

test("rows of tokens that were only sent again appear and count only with showsResent", () => {
  const imported = [
    ...threeTurns,
    toolList(1, { server: "weather" }),
    ...["search", "fetch", "save"].map((tool, seq) => call(seq, { tool })),
  ];
  const listRows = (showsResent: boolean, top?: number) => {
    const tables = [{ by: ["tool"], order: undefined, top }] as const;
    const { sum } = makeImportedReport(imported, [], { showsResent, tables });
    return sum.tables[0]?.rows.map(({ tool, more }) => tool ?? more);
  };
  expect(listRows(false)).toEqual(["fetch", "save", "search"]);
  expect(listRows(true)).toEqual(["fetch", "save", "search", "(definitions)", "(definitions)"]);
  expect(listRows(false, 1)).toEqual(["fetch", 2]);
  expect(listRows(true, 1)).toEqual(["fetch", 4]);
  // A single further row needs no more room than its sum.
  expect(listRows(false, 2)).toEqual(["fetch", "save", "search"]);
});

const hourMs = 3_600_000;

const callHourly = (seq: number) =>
  call(seq, { ts: new Date(noon + 500 + seq * hourMs).toISOString() });

function findPairedFacts(fromMs: number, models: readonly (string | undefined)[]) {
  const history = new ImportedHistory();
  for (const logged of [...threeTurns, callHourly(0), callHourly(1)]) history.add(logged);
  const matches = new WireMatches(history);
  const plan = { ranges: [{ fromMs, toMs: Infinity }], zone, by: ["agent"] } as const;
  const cube = new Cube(plan);
  cube.add(sessionRecord({ model: "claude-opus-4-8" }));
  for (const [at, model] of models.entries()) {
    const { ts } = callHourly(at);
    const wire = callRecord({ ts, seq: at + 1, server: "docs", tool: "search" });
    const named = { ...wire, call_id_sha256: `id-${at}`, ...(model ? { model } : {}) };
    cube.add(named);
    matches.offer(named);
  }
  const known = new KnownDefinitions(cube.listDefinitions());
  const usage = { history, matchedCalls: matches.findPairs(), known };
  const { facts } = addImportedFacts(cube.makeFacts(), usage, plan);
  return facts.flatMap(({ agent, model, sums }) =>
    sums.calls > 0 ? [[agent, model, sums.calls]] : [],
  );
}

test("paired calls before the period are not in its rows", () => {
  expect(findPairedFacts(-Infinity, [undefined, undefined])).toEqual([
    ["main", "claude-opus-4-8", 2],
  ]);
  const second = Date.parse(callHourly(1).ts);
  expect(findPairedFacts(second, [undefined, undefined])).toEqual([["main", "claude-opus-4-8", 1]]);
});

test("paired calls of two models in a day are in the row of each", () => {
  expect(findPairedFacts(-Infinity, ["a", "b"])).toEqual([
    ["main", "a", 1],
    ["main", "b", 1],
  ]);
});

const sameHash = { arguments_sha256: "ab".repeat(32) };

function findRepeatsByAgent(loggedBy: readonly (string | undefined)[]) {
  const history = new ImportedHistory();
  for (const [id, kind] of [
    ["main", "main"],
    ["sub", "subagent"],
  ] as const) {
    history.add({ ...conversation, conversation_id: id, session_id: id, kind } as ImportedRecord);
  }
  for (const [at, id] of loggedBy.entries()) {
    if (id !== undefined) history.add({ ...call(at), conversation_id: id, session_id: id });
  }
  const matches = new WireMatches(history);
  const plan = { ranges: [all], zone, by: ["agent"] } as const;
  const cube = new Cube(plan);
  cube.add(sessionRecord({ model: "claude-opus-4-8" }));
  for (const at of loggedBy.keys()) {
    const wire = callRecord({ ...sameHash, seq: at + 1, server: "docs", tool: "search" });
    const named = { ...wire, call_id_sha256: `id-${at}` };
    cube.add(named);
    matches.offer(named);
  }
  const known = new KnownDefinitions(cube.listDefinitions());
  const usage = { history, matchedCalls: matches.findPairs(), known };
  const { facts } = addImportedFacts(cube.makeFacts(), usage, plan);
  return facts.flatMap(({ agent, sums }) =>
    sums.calls > 0 ? [[agent, sums.calls, sums.repeated_calls]] : [],
  );
}

test("paired calls that repeat others are repeats of the agent that made them", () => {
  expect(findRepeatsByAgent(["main", "main", "main"])).toEqual([["main", 3, 2]]);
  expect(findRepeatsByAgent(["main", "sub", "sub"])).toEqual([
    ["main", 1, 0],
    ["subagent", 2, 2],
  ]);
  expect(findRepeatsByAgent(["main", "main", undefined])).toEqual([
    ["main", 2, 1],
    [undefined, 1, 1],
  ]);
});

test.each([
  ["a tool", {}, 1],
  ["a resource", { method: "resources/read", tool: "resources/read" }, 0],
  ["a tool of two servers", { server: "other" }, 0],
  ["a call that was refused", { outcome: "refused" }, 0],
] as const)("calls of %s repeat each other in a log as on the wire", (_, second, repeats) => {
  const isOfTool = !("tool" in second);
  const facts = { server: "docs", tool: "search", ...sameHash, ...(!isOfTool && second) };
  const logged = [call(0, facts), call(1, { ...facts, ...second })];
  const onWire = isOfTool ? {} : { tool: null };
  const wire = [
    callRecord({ ...facts, ...onWire, seq: 1 }),
    callRecord({ ...facts, ...second, ...onWire, seq: 2 }),
  ];
  expect(makeImportedReport([], wire).sum.totals.repeated_calls).toBe(repeats);
  expect(makeImportedReport(logged).sum.totals.repeated_calls).toBe(repeats);
});

test("repeats are found, and calls may lack a count of tokens", () => {
  const same = { arguments_sha256: "same" };
  const { blocks } = makeImportedReport([
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

test("a call is no repeat of one in the compared period", () => {
  const history = new ImportedHistory();
  const same = { arguments_sha256: "same" };
  for (const seq of [0, 1, 2]) {
    history.add({ ...callHourly(seq), ...same });
  }
  const ranges = [
    { fromMs: noon + 500 + hourMs, toMs: Infinity },
    { fromMs: -Infinity, toMs: noon + 500 + hourMs },
  ];
  const usage = { history, matchedCalls: new Map(), known: knownFrom() };
  const { facts } = addImportedFacts([], usage, { ranges, zone });
  const repeats = facts.map(({ range, sums }) => [range, sums.calls, sums.repeated_calls]);
  expect(repeats.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [0, 2, 1],
    [1, 1, 0],
  ]);
});

const listDocs = (client_name: string | null) => [
  sessionRecord({ client_name, server: "docs", seq: 0 }),
  definitionsRecord({ server: "docs", seq: 1, tools_total: 1, resident_tokens: 700 }),
];
const findRent = (...records: Parameters<typeof knownFrom>[0] & object) => {
  const history = new ImportedHistory();
  for (const imported of [...threeTurns, call(0)]) history.add(imported);
  const usage = { history, matchedCalls: new Map(), known: knownFrom(records) };
  const { facts } = addImportedFacts([], usage, { ranges: [all], zone, prices: opusPrices });
  return facts.flatMap(({ rent }) => (rent ? [[rent.tokens, rent.unknownRequests]] : []));
};

test("definitions belong to a server of one client, not to another client's server of the same name", () => {
  expect(findRent(...listDocs("claude-code"))).toEqual([[2_100, 0]]);
  for (const other of ["codex-mcp-client", null]) {
    expect(findRent(...listDocs(other))).toEqual([[0, 3]]);
  }
});

test("without its record, a conversation begins with its first turn", () => {
  const history = new ImportedHistory();
  for (const imported of [...threeTurns.toReversed(), toolList(1)]) history.add(imported);
  const usage = { history, matchedCalls: new Map(), known: knownFrom() };
  const { facts } = addImportedFacts([], usage, { ranges: [all], zone });
  expect(facts.map(({ session }) => [session.beganMs, session.beganLocal])).toEqual([
    [noon, "2026-03-14 12:00"],
  ]);
});

test("estimators are not mixed", () => {
  const { blocks } = makeImportedReport([call(0), call(1, { estimator: "o200k" })]);
  expect(blocks.map(({ estimation, totals }) => [estimation?.estimator, totals.calls])).toEqual([
    ["claude", 1],
    ["o200k", 1],
  ]);
});

const anyHistory = record({
  turns: array(record({ grown: integer({ min: 0, max: 4_000 }), isPriced: boolean() }), {
    minLength: 1,
    maxLength: 12,
  }),
  calls: array(
    record({
      turn: integer({ min: 0, max: 11 }),
      server: constantFrom("docs", "files", "wire"),
      tokens: integer({ min: 0, max: 3_000 }),
    }),
    { maxLength: 10 },
  ),
  lists: array(
    record({ turn: integer({ min: 0, max: 11 }), tokens: integer({ min: 0, max: 900 }) }),
    { maxLength: 3 },
  ),
});

test("property: rents, calls and everything else add up to the whole, in the total and over the facts", () => {
  assert(
    property(anyHistory, ({ turns, calls, lists }) => {
      let size = 3_000;
      const records: ImportedRecord[] = turns.map(({ grown, isPriced }, index) => {
        const cached = size;
        size += grown;
        return turn(index, {
          cache_read_tokens: index === 0 ? 0 : cached,
          cache_write_5m_tokens: size - (index === 0 ? 0 : cached),
          output_tokens: 40,
          model: isPriced ? "claude-opus-4-8" : "unknown",
        });
      });
      records.push(
        ...calls.map(({ turn: index, server, tokens }, seq) =>
          call(seq, { server, turn: index, read_by: index + 1, output_tokens: tokens }),
        ),
        ...lists.map(({ turn: from, tokens }, seq) => toolList(100 + seq, { turn: from, tokens })),
      );
      const history = new ImportedHistory();
      for (const historyRecord of records) history.add(historyRecord);
      const wire = [sessionRecord({ server: "wire" }), definitionsRecord({ server: "wire" })];
      const usage = { history, matchedCalls: new Map(), known: knownFrom(wire) };
      const { facts, conversations } = addImportedFacts([], usage, {
        ranges: [all],
        zone,
        prices: opusPrices,
      });
      const rents = facts.flatMap(({ rent }) => rent ?? []);
      const dollars = rents.reduce((sum, { nanoDollars }) => sum + (nanoDollars ?? 0), 0);
      const logged = facts.flatMap((fact) => fact.logged?.priced.nanoDollars ?? []);
      const ofCalls = logged.reduce((sum, amount) => sum + amount, 0);
      const found = conversations ?? { total: 0, calls: 0, definitions: 0, other: 0 };
      expect(found.calls + found.definitions + found.other).toBe(found.total);
      expect(dollars).toBe(found.definitions);
      expect(ofCalls).toBeLessThanOrEqual(found.calls);
      expect(found.other).toBeGreaterThanOrEqual(0);
      // Requests have no tokens if their server's definitions are unknown.
      for (const { requests, unknownRequests, tokens } of rents) {
        expect(unknownRequests === requests ? tokens : 0).toBe(0);
      }
    }),
    { numRuns: 300 },
  );
});
