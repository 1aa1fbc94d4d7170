import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { cachedPromptMaxMs, followedListsMax, ListChanges } from "#meter/session/list-changes.ts";
import type { CallRecord, DefinitionsRecord, ListChange, MeterRecord } from "#records/record.ts";
import {
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../support/made-records.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import { madePrices, opus } from "../../support/made-prices.ts";
import { summaryOf } from "../../support/play.ts";
import { priceRewrite } from "#records/money/price-book.ts";
import { by, reportOf } from "../../support/usage-parts.ts";

type Rules = Parameters<ListChanges["annotate"]>[2]["rules"];

type Timed = readonly [ms: number, record: MeterRecord];

const instructions = 7;
const sizes: { readonly [name: string]: number } = { a: 10, b: 100, c: 1_000, d: 10_000 };

// "a b2": two tools, the second in another version.
function list(ms: number, names: string, told: Partial<DefinitionsRecord> = {}): Timed {
  const tools = names
    .split(" ")
    .filter((name) => name !== "")
    .map((name) => ({ ...toolDefinition(name[0] ?? "", sizes[name[0] ?? ""] ?? 0), sha256: name }));
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, instructions);
  return [ms, definitionsRecord({ tools, resident_tokens: tokens, ...told })];
}

function call(beganMs: number, endedMs: number, told: Partial<CallRecord> = {}): Timed {
  return [
    endedMs,
    callRecord({ duration_ms: endedMs - beganMs, input_tokens: 0, output_tokens: 3, ...told }),
  ];
}

function noteAll(
  records: readonly Timed[],
  rules: Rules = {},
  windowTokens = 200_000,
): MeterRecord[] {
  const changes = new ListChanges();
  return records.map(([ms, record]) => changes.annotate(record, ms, { rules, windowTokens }));
}

function listChanges(records: readonly MeterRecord[]): (ListChange | undefined)[] {
  return records.flatMap((record) => (record.type === "call" ? [record.list_change] : []));
}

function findLast(records: readonly Timed[]): ListChange | undefined {
  return listChanges(noteAll(records)).at(-1);
}

function defer([ms, record]: Timed, shown: readonly string[]): Timed {
  if (record.type !== "definitions") return [ms, record];
  const deferred = record.tools.map((tool) => {
    return { ...tool, resident_tokens: shown.includes(tool.name) ? tool.tokens : 2 };
  });
  return [ms, { ...record, tools: deferred, is_deferred: true }];
}

const order = (tokens: number) => ({ kind: "order", rewritten_tokens: tokens }) as const;
const tools = (tokens: number) => ({ kind: "tools", rewritten_tokens: tokens }) as const;
const none = undefined;
const begun = [list(0, "a b c"), call(1, 2), call(3, 4)];
const changed = [list(5, "a c b"), call(6, 7)];

describe("ListChanges", () => {
  test.each<[string, readonly Timed[], readonly (ListChange | undefined)[]]>([
    [
      "before the first call",
      [list(0, "a b"), list(1, "b a"), call(2, 3), call(4, 5)],
      [none, none],
    ],
    ["the same list again", [...begun, list(5, "a b c"), call(6, 7)], [none, none, none]],
    // Everything behind `a`, and the first of two calls: no request had the second one when the list changed.
    ["another order", [...begun, ...changed], [none, none, order(1_100 + 7 + 3)]],
    [
      "a new tool at the end",
      [...begun, list(5, "a b c d"), call(6, 7)],
      [none, none, tools(7 + 3)],
    ],
    ["a tool less", [...begun, list(5, "a c"), call(6, 7)], [none, none, tools(1_000 + 7 + 3)]],
    ["another text", [...begun, list(5, "a b2 c"), call(6, 7)], [none, none, tools(1_000 + 7 + 3)]],
    ["no tools are left", [...begun, list(5, ""), call(6, 7)], [none, none, tools(7 + 3)]],
    [
      "changed back in between",
      [...begun, list(5, "c b a"), list(6, "a b c"), call(7, 8)],
      [none, none, none],
    ],
    [
      "twice in between",
      [...begun, list(5, "c b a"), ...changed],
      [none, none, order(1_100 + 7 + 3)],
    ],
    [
      "during a call, which the list before it had made",
      [...begun.slice(0, 1), call(1, 9), list(5, "a c b"), call(10, 11)].toSorted(
        ([a], [b]) => a - b,
      ),
      [none, order(1_107)],
    ],
    ["no call follows", [...begun, list(5, "a c b")], [none, none]],
    [
      "a part of a list",
      [...begun, list(5, "a", { is_complete: false }), call(6, 7)],
      [none, none, none],
    ],
    [
      "a new client",
      [...begun, list(5, "a c b"), [5, sessionRecord()], call(6, 7)],
      [none, none, none],
    ],
  ])("%s", (_, records, expected) => {
    expect(listChanges(noteAll(records))).toEqual([...expected]);
  });

  test("a change costs once", () => {
    expect(findLast([...begun, ...changed, call(8, 9)])).toBeUndefined();
  });

  test("calls of one request of the model are one step, and not cached when the list changes", () => {
    const parallel = [call(3, 4), call(3, 5), call(4.5, 6)];
    const records = [list(0, "a b c"), call(1, 2), ...parallel, list(7, "a c b"), call(8, 9)];
    expect(findLast(records)).toEqual(order(1_107 + 3));
  });

  test("prompts and resources are in the context, sampling and answers to scripts are not known to be", () => {
    const read = call(2, 2, { method: "resources/read", tool: null, output_tokens: 50 });
    const sampled = call(2, 2, { method: "sampling/createMessage", output_tokens: 500 });
    const scripted = call(1, 2, { visible: "unknown", output_tokens: 5_000 });
    const records = [list(0, "a b c"), scripted, read, sampled, call(3, 4), ...changed];
    expect(findLast(records)).toEqual(order(1_107 + 50));
  });

  test.each([
    [cachedPromptMaxMs, true],
    [cachedPromptMaxMs + 1, false],
  ])("a prompt read %d ms before is cached: %p", (ms, isCached) => {
    const records = [...begun, list(5, "a c b"), call(3 + ms, 4 + ms)];
    expect(findLast(records) !== undefined).toBe(isCached);
  });

  test.each([
    [followedListsMax - 1, tools(1_110)],
    [followedListsMax, none],
  ])("%d lists between two calls", (count, expected) => {
    const lists = Array.from({ length: count }, (_, at) => list(5, `a${at} b c`));
    expect(findLast([...begun, ...lists, call(6, 7)])).toEqual(expected);
  });

  test("no more than a window is cached", () => {
    const large = [list(0, "a b c"), call(1, 2, { output_tokens: 500 }), call(3, 4), ...changed];
    expect(listChanges(noteAll(large, {}, 1_500)).at(-1)).toEqual(order(1_500));
    expect(listChanges(noteAll(large, {}, 1_607)).at(-1)).toEqual(order(1_607));
    expect(listChanges(noteAll(large, {}, 1_608)).at(-1)).toEqual(order(1_607));
  });

  test.each(["thread_id_sha256", "client_session_id_sha256"] as const)(
    "another %s is another conversation",
    (key) => {
      const own = (ms: number) => call(ms, ms + 1, { [key]: "f".repeat(64) });
      const records = [...begun, list(5, "a c b"), own(6), own(8), list(10, "a b c"), own(11)];
      expect(listChanges(noteAll(records))).toEqual([none, none, none, none, order(1_107 + 3)]);
    },
  );

  test("a client that sorts the tools hides their order, one that keeps definitions hides new texts", () => {
    const [sorts, keeps] = [{ sortsTools: true }, { sortsTools: true, keepsTools: true }];
    const last = (names: string, rules: Rules) =>
      listChanges(noteAll([...begun, list(5, names), call(6, 7)], rules)).at(-1);
    expect([last("c b a", sorts), last("a b2 c", sorts)]).toEqual([none, tools(1_000 + 7 + 3)]);
    expect([last("c b a", keeps), last("a b2 c", keeps), last("a", keeps)]).toEqual([
      none,
      none,
      none,
    ]);
    const records = [list(0, "b c"), call(1, 2), call(3, 4), list(5, "a b"), call(6, 7)];
    expect(listChanges(noteAll(records, keeps)).at(-1)).toEqual(tools(1_100 + 7 + 3));
  });

  test.each([
    [[], none],
    [["a"], none],
    [["a", "b"], order(1_117 + 3)],
  ])("of deferred definitions only %j, loaded from the start, are in front", (shown, expected) => {
    const [before, after] = [list(0, "a b c"), list(5, "c b a")].map((listed) =>
      defer(listed, shown),
    );
    if (!before || !after) throw new Error("no lists");
    expect(findLast([before, call(1, 2), call(3, 4), after, call(6, 7)])).toEqual(expected);
  });

  test.each<[Partial<ToolDefinition>, ListChange | undefined]>([
    [{}, none],
    [{ schema_tokens: 1 }, tools(7)],
  ])("parts of a definition that no model reads do not count: %j", (told, expected) => {
    const before = toolDefinition("a", 10);
    const after = { ...before, sha256: "b", wire_only_tokens: 2, ...told };
    const [first, second] = [list(0, "a", { tools: [before] }), list(3, "a", { tools: [after] })];
    expect(findLast([first, call(1, 2), second, call(4, 5)])).toEqual(expected);
  });
});

type Step = {
  readonly calls: number;
  readonly pauseMs: number;
  readonly names: string;
  readonly isDuring: boolean;
};

const anyStep: fc.Arbitrary<Step> = fc.record({
  calls: fc.integer({ min: 1, max: 3 }),
  pauseMs: fc.constantFrom(5, 50, cachedPromptMaxMs, 2 * cachedPromptMaxMs),
  names: fc.constantFrom("a b c", "c b a", "a b", "a b2 c", "d a b c", ""),
  isDuring: fc.boolean(),
});

function play(steps: readonly Step[]): { readonly records: Timed[]; readonly expected: number[] } {
  const records: Timed[] = [list(0, "a b c")];
  const requests: { readonly ms: number; readonly names: string[]; readonly tokens: number }[] = [];
  let [ms, tokens, current] = [10, 0, "a b c"];
  for (const { calls, pauseMs, names, isDuring } of steps) {
    requests.push({ ms, names: current.split(" ").filter((name) => name !== ""), tokens });
    if (isDuring) records.push(list(ms + 1, names));
    for (let at = 0; at < calls; at += 1) records.push(call(ms, ms + 2 + at));
    ms += 2 + calls;
    if (!isDuring) records.push(list(ms, names));
    tokens += 3 * calls;
    current = names;
    ms += pauseMs;
  }
  const expected = requests.flatMap((next, at) => {
    const before = requests[at - 1];
    return before && next.ms - before.ms <= cachedPromptMaxMs
      ? compareNaively(before, next.names)
      : [];
  });
  return { records, expected };
}

function compareNaively(
  { names, tokens }: { readonly names: string[]; readonly tokens: number },
  after: string[],
): number[] {
  if (names.join() === after.join()) return [];
  let from = 0;
  while (from < names.length && names[from] === after[from]) from += 1;
  const kept = after.slice(from).filter((name) => names.includes(name));
  return [kept.reduce((sum, name) => sum + (sizes[name[0] ?? ""] ?? 0), instructions) + tokens];
}

test("finds what a count over the requests of the model finds", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), (steps) => {
      const { records, expected } = play(steps);
      const found = listChanges(noteAll(records)).flatMap((change) => change ?? []);
      expect(found.map((change) => change.rewritten_tokens)).toEqual(expected);
    }),
  );
});

const anySession = fc.record({
  steps: fc.array(anyStep, { maxLength: 8 }),
  model: fc.constantFrom("opus", "flat", "nameless", null),
});

test("a summary is the fold over its calls, and a report the sum of its sessions", () => {
  fc.assert(
    fc.property(fc.array(anySession, { maxLength: 5 }), (sessions) => {
      const all = sessions.map(({ steps, model }, at): MeterRecord[] => {
        const common = { session_id: `s${at}`, server: `server${at % 2}` };
        const played = noteAll(play(steps).records);
        return [sessionRecord({ model, client_name: `client${at}` }), ...played].map(
          (record, seq) => ({
            ...record,
            ...common,
            seq,
          }),
        );
      });
      const [prices, expected] = [madePrices(), { changes: 0, tokens: 0, dollars: 0 }];
      for (const [at, records] of all.entries()) {
        const found = listChanges(records).flatMap((change) => change ?? []);
        const tokens = found.reduce((sum, change) => sum + change.rewritten_tokens, 0);
        const dollars = sessions[at]?.model === "opus" ? priceRewrite(tokens, opus) : 0;
        const { list_changes: sum } = summaryOf(records, prices);
        expect([sum?.changes ?? 0, sum?.rewritten_tokens ?? 0]).toEqual([found.length, tokens]);
        expect(sum?.rewrite_usd ?? 0).toBeCloseTo(dollars, 12);
        expected.changes += found.length;
        expected.tokens += tokens;
        expected.dollars += dollars;
      }
      const { sum } = reportOf(all.flat(), { prices, tables: [by("server"), by("session")] });
      expect([sum.totals.list_changes, sum.totals.rewritten_tokens]).toEqual([
        expected.changes,
        expected.tokens,
      ]);
      for (const { rows } of sum.tables) {
        expect(rows.reduce((added, row) => added + row.rewritten_tokens, 0)).toBe(expected.tokens);
        expect(rows.reduce((added, row) => added + (row.rewrite_usd ?? 0), 0)).toBeCloseTo(
          expected.dollars,
          12,
        );
      }
    }),
  );
});
