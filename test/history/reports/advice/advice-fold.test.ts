import { expect, test } from "bun:test";
import type { BreachRecord, MeterRecord } from "#records/record.ts";
import { adviceTokensMin } from "#history/reports/advice/advice.ts";
import { AdviceFold } from "#history/reports/advice/advice-fold.ts";
import { MadeNumbers, madeUsage } from "../../../support/made-usage.ts";
import { foldOf } from "../../../support/made-advice.ts";
import {
  alertRecord,
  breachRecord,
  callRecord,
  definitionsRecord,
  sessionRecord,
  toolDefinition,
} from "../../../support/made-records.ts";
import { reportServersMax, reportSessionsMax } from "#records/ledger.ts";
import { reportCellsMax } from "#history/reports/usage-cube.ts";
import { hiddenToolsMax } from "#history/reports/advice/session-usage.ts";

const collectAdvice = (fold: AdviceFold, choice?: Parameters<AdviceFold["advise"]>[0]) =>
  fold.advise(choice).advice;

const wasteful = { tool: "read", duplicate_tokens: 2_000, output_tokens: 4_000 };

test("sums the sessions of all estimators, or of the chosen ones", () => {
  const fold = foldOf([
    callRecord({ session_id: "unknown", ...wasteful }),
    sessionRecord({ session_id: "a" }),
    callRecord({ session_id: "a", ...wasteful }),
    callRecord({ session_id: "b", ...wasteful }),
  ]);
  fold.addContext({ record: sessionRecord({ session_id: "b", estimator: "claude" }), ms: 0 });
  const advise = (estimators: readonly string[]) => {
    const { estimation, advice } = fold.advise({ estimators });
    return [estimation?.estimator, advice.map(({ tokens }) => tokens)];
  };
  expect(advise([])).toEqual([undefined, [6_000]]);
  expect(advise(["cl*"])).toEqual(["claude", [2_000]]);
  expect(advise(["chars3"])).toEqual(["chars3", [2_000]]);
});

const list = (session_id: string, day: number, total_tokens: number) =>
  definitionsRecord({
    session_id,
    ts: `2026-11-0${day}T00:00:00.000Z`,
    total_tokens,
    resident_tokens: total_tokens,
  });

test("definitions did not grow if another estimator counted more tokens", () => {
  const fold = foldOf([
    ...["a", "b"].map((id) => sessionRecord({ session_id: id })),
    sessionRecord({ session_id: "c", estimator: "claude" }),
    list("a", 1, 4_000),
    list("b", 2, 4_600),
    list("c", 3, 9_000),
    callRecord({ session_id: "a" }),
  ]);
  const grown = collectAdvice(fold).find(({ kind }) => kind === "grown_definitions");
  expect(grown).toMatchObject({ before_tokens: 4_000, after_tokens: 4_600 });
});

test("advice about the sessions of some clients, by the newest name of each", () => {
  const records = ["one", "two"].flatMap((client_name) => [
    sessionRecord({ session_id: client_name, seq: 3, client_name }),
    sessionRecord({ session_id: client_name, seq: 0, client_name: null }),
    callRecord({ session_id: client_name, seq: 1, ...wasteful }),
  ]);
  const fold = foldOf(records);
  const tokens = (clients: readonly string[]) =>
    fold.advise({ clients }).advice.map((advised) => advised.tokens);
  expect(tokens([])).toEqual([4_000]);
  expect(tokens(["o*"])).toEqual([2_000]);
  expect(tokens(["three"])).toEqual([]);
});

test("a list from before the period gives parameters, and nothing else", () => {
  const calls = Array.from({ length: 12 }, (_, seq) => callRecord({ seq, output_tokens: 9_000 }));
  const tools = [{ ...toolDefinition("search", 9_000), narrowing_parameters: ["limit"] }];
  const record = definitionsRecord({ tools });
  const [before, after] = [foldOf(calls), foldOf(calls)];
  after.addContext({ record, ms: 0 });
  expect(collectAdvice(before)).toMatchObject([{ kind: "large_answers", share: 1 }]);
  expect(collectAdvice(after)).toEqual(
    collectAdvice(before).map((advised) => ({ ...advised, parameters: ["limit"] })),
  );
});

test("a choice of tools changes neither shares nor parameters, and leaves out other advice", () => {
  const calls = Array.from({ length: 12 }, (_, seq) => callRecord({ seq, output_tokens: 9_000 }));
  const tools = [{ ...toolDefinition("search", 9_000), narrowing_parameters: [] }];
  const otherCall = callRecord({ seq: 12, ...wasteful, output_tokens: 108_000 });
  const fold = foldOf([...calls, otherCall, definitionsRecord({ tools, resident_tokens: 0 })]);
  const all = collectAdvice(fold);
  expect(all.map(({ tool }) => tool)).toEqual(["search", "read"]);
  expect(all[0]).toMatchObject({ parameters: [] });
  expect(collectAdvice(fold, { tools: ["sea*"] })).toEqual(all.slice(0, 1));
  expect(collectAdvice(fold, { tools: ["read"], servers: ["*"] })).toEqual(all.slice(1));
  expect(fold.advise({ servers: ["another"] })).toMatchObject({ isEmpty: true, advice: [] });
});

test("the order of records does not matter", () => {
  const numbers = new MadeNumbers(7);
  const records: MeterRecord[] = madeUsage()
    .flat()
    .concat(
      Array.from({ length: 40 }, (_, at) =>
        definitionsRecord({
          session_id: `d${at}`,
          ts: `2026-10-${String(1 + (at % 28)).padStart(2, "0")}T00:00:00.000Z`,
          total_tokens: 3_000 + 100 * numbers.below(30),
        }),
      ),
      [alertRecord({ alert: "would_truncate", tool: "query", server: "postgres" })],
    );
  const parts = foldOf(records).advise();
  expect(parts.advice.length).toBeGreaterThan(20);
  const keyed = records.map((record) => ({ record, key: numbers.below(1e9) }));
  const shuffled = keyed.toSorted((a, b) => a.key - b.key).map(({ record }) => record);
  expect(foldOf(shuffled).advise()).toEqual(parts);
  expect(foldOf(records.toReversed()).advise()).toEqual(parts);
});

test("the savings of all advice count no token twice", () => {
  const { advice, context_tokens: all } = foldOf(madeUsage().flat()).advise();
  const saved = advice.reduce((sum, { saved_tokens: tokens }) => sum + tokens, 0);
  expect(saved).toBeGreaterThan(all / 20);
  expect(saved).toBeLessThan(all);
  const call = { tool: "read", input_tokens: 0, output_tokens: 4_000, duplicate_tokens: 3_000 };
  const overhead = { user_only_tokens: 0, preamble_tokens: 0, structure_ratio: 0 };
  const advise = (minified_tokens: number) => {
    const json = { ...overhead, json_tokens: 4_000, minified_tokens };
    return foldOf([callRecord({ ...call, overhead: json })]).advise();
  };
  expect(advise(2_000).context_tokens).toBe(4_000);
  const duplicate = { kind: "duplicate_text", tokens: 3_000, saved_tokens: 3_000 };
  expect(advise(2_000).advice).toMatchObject([
    duplicate,
    { kind: "compact_json", tokens: 2_000, saved_tokens: adviceTokensMin },
  ]);
  expect(advise(2_004).advice).toMatchObject([duplicate]);
});

test(`of ${reportSessionsMax} sessions and ${reportCellsMax} tools, further ones are left out and counted`, () => {
  const sessions = new AdviceFold();
  for (let at = 0; at < reportSessionsMax + 2; at += 1) {
    sessions.addContext({ record: sessionRecord({ session_id: `s${at}` }), ms: 0 });
  }
  expect(sessions.leftOut).toBe(2);
  const tools = new AdviceFold();
  const add = (tool: string): void => tools.add({ record: callRecord({ tool }), ms: 0 });
  for (let at = 0; at < reportCellsMax + 2; at += 1) add(`t${at}`);
  add("t0");
  expect(tools.leftOut).toBe(2);
});

test(`lists from before the period are known for ${reportServersMax} servers, each by its newest`, () => {
  const fold = new AdviceFold();
  const addList = (server: string, ms: number) =>
    fold.addContext({ record: definitionsRecord({ server, seq: ms, total_tokens: ms }), ms });
  for (let at = 0; at < reportServersMax + 1; at += 1) addList(`s${at}`, 1);
  addList("s0", 2);
  const servers = ["s0", `s${reportServersMax}`];
  for (const server of servers) fold.add({ record: callRecord({ server }), ms: 3 });
  const { usages } = fold.listUsages();
  expect(usages.map(({ knownLists }) => knownLists.newest?.list.total_tokens)).toEqual([
    2,
    undefined,
  ]);
});

const hiddenCall = (tool: string, members: Partial<BreachRecord> = {}) =>
  breachRecord({ budget: "hide", limit: 0, unit: "calls", tool, ...members });

test(`calls of hidden tools are counted by tool, of ${hiddenToolsMax} at most`, () => {
  const tools = Array.from({ length: hiddenToolsMax + 1 }, (_, at) => `t${at}`);
  const others = [
    hiddenCall("x", { is_enforced: false }),
    breachRecord({ budget: "max-repeats 2" }),
  ];
  const fold = foldOf([...others, ...tools.map((tool) => hiddenCall(tool)), hiddenCall("t0")]);
  const [usage] = fold.listUsages().usages;
  expect([usage?.hiddenCalls.size, usage?.hiddenCalls.get("t0")]).toEqual([hiddenToolsMax, 2]);
  expect(usage?.hiddenCalls.has(`t${hiddenToolsMax}`)).toBe(false);
  expect(usage?.hiddenCalls.has("search")).toBe(false);
});

test("duplicate text counts only where the model reads both copies", () => {
  const call = { tool: "read", input_tokens: 0, duplicate_tokens: 3_000, wire_tokens: 6_000 };
  const find = (output_tokens: number) => foldOf([callRecord({ ...call, output_tokens })]).advise();
  expect(find(6_000).advice).toMatchObject([{ kind: "duplicate_text", tokens: 3_000, share: 0.5 }]);
  expect(find(3_000).advice).toEqual([]);
});
