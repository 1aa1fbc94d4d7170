import { expect, test } from "bun:test";
import { costedConversation, type LoggedCost } from "#reports/imported/logged-cost.ts";
import type { ImportedRecord } from "#records/imported-record.ts";
import { definitionsRecord, sessionRecord } from "../../support/made-records.ts";
import { conversationOf, costPlan, knownFrom } from "./cost-plan.ts";
import { call, threeTurns, toolList, turn } from "./made-history.ts";

function costs(records: readonly ImportedRecord[]): readonly LoggedCost[] {
  const { calls } = costedConversation(conversationOf(records), costPlan());
  return [...calls.values()];
}

test("an answer costs its arguments, its first prompt and each prompt after", () => {
  // 10 × 25 written; 1,000 × 6.25 at first; then 1,000 × 0.5 and, in both prompts, 10 × 6.25 and 10 × 0.5.
  expect(costs([...threeTurns, call(0)])).toEqual([
    {
      nanoDollars: 250_000 + 6_250_000 + 500_000 + 62_500 + 5_000,
      carriedTokens: 1_020,
      rereads: 1,
    },
  ]);
});

test("without a price there is no amount, and the tokens are the same", () => {
  const turns = threeTurns.map((one) => ({ ...one, model: "unknown" }));
  expect(costs([...turns, call(0)])).toEqual([
    { nanoDollars: null, carriedTokens: 1_020, rereads: 1 },
  ]);
});

test("a call that stands in no turn has no cost", () => {
  expect(costs([...threeTurns, call(0, { turn: null })])).toEqual([]);
  expect(costs([turn(7), call(0)])).toEqual([]);
});

test("definitions of a called server cost in every request, and with the calls and the rest they are the whole", () => {
  const wire = [sessionRecord({ server: "docs" }), definitionsRecord({ server: "docs" })];
  const plan = costPlan({ known: knownFrom(wire) });
  const { cost, servers } = costedConversation(conversationOf([...threeTurns, call(0)]), plan);
  expect(servers).toMatchObject([{ server: { server: "docs", held: [{ tokens: 160, from: 0 }] } }]);
  const [rents] = servers.map((server) => [...(server.rents?.values() ?? [])]);
  // In the first prompt as input, in the others as a cache read.
  expect(rents).toEqual([{ tokens: 3 * 160, cost: 160 * 5_000 + 2 * 160 * 500 }]);
  const ofCalls = cost.calls.reduce((sum, one) => sum + one.written + one.first + one.carried, 0);
  expect(ofCalls + (rents?.[0]?.cost ?? 0) + cost.other).toBe(cost.whole);
});

test("names that a log lists are held from their turn on, and added up over the lists of a server", () => {
  const records = [
    ...threeTurns,
    toolList(0, { turn: 0, tokens: 30 }),
    toolList(1, { turn: 2, tokens: 12, tools: ["late"] }),
  ];
  const { servers } = costedConversation(conversationOf(records), costPlan());
  expect(servers).toHaveLength(1);
  const [server] = servers;
  // The last prompt has not grown, so that the late names take nothing of it.
  expect([...(server?.rents?.values() ?? [])].map(({ tokens }) => tokens)).toEqual([90]);
  expect([...(server?.turns.values() ?? [])]).toEqual([3]);
});

test("a server of which nothing says how large its definitions are has requests alone", () => {
  const { servers, cost } = costedConversation(
    conversationOf([...threeTurns, call(0)]),
    costPlan(),
  );
  expect(servers.map(({ rents, turns }) => [rents, [...turns.values()]])).toEqual([
    [undefined, [3]],
  ]);
  expect(cost.rents).toEqual([]);
});
