import { afterAll, expect, test } from "bun:test";
import { answersOf, judgePlayed, playCalls, readPlan } from "#commands/check/play-calls.ts";
import { callsPlayedMax } from "#limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { playedCall } from "../../support/checks.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());

test("readPlan allows so many calls, and not one more", () => {
  const [most, more] = [callsPlayedMax, callsPlayedMax + 1].map((repeat) =>
    folder.write(`${repeat}.json`, [{ tool: "t", repeat }]),
  );
  expect(readPlan(most ?? "")).toHaveLength(1);
  expect(() => readPlan(more ?? "")).toThrow("are allowed");
  expect(() => readPlan(folder.write("d.json", {}))).toThrow("must be a list of calls");
});

test("playCalls plays every round in order", async () => {
  const [plan] = [readPlan(folder.write("e.yaml", "- { tool: a, repeat: 2 }\n- { tool: b }\n"))];
  const asked: string[] = [];
  const server = {
    call: async (tool: string) => {
      asked.push(tool);
      return { isError: false, error: null, requestId: asked.length };
    },
  };
  const rounds = await playCalls(server, plan, 1_000);
  expect(asked).toEqual(["a", "a", "b"]);
  expect(rounds.map(({ round }) => round)).toEqual([1, 2, 1]);
});

function record(id: number, tokens: number): MeterRecord {
  return {
    type: "call",
    method: "tools/call",
    request_id: id,
    total_tokens: tokens,
  } as MeterRecord;
}

test("judgePlayed finds each call's own record, and says when there is none", () => {
  const [planned] = readPlan(folder.write("f.json", [{ tool: "t" }]));
  if (!planned) throw new Error("no plan");
  const rounds = [7, 8, null].map((requestId) => ({
    planned,
    round: 1,
    played: { isError: false, error: null, requestId },
  }));
  const judged = judgePlayed(rounds, [record(8, 80), record(7, 70)], [], { share: 0 });
  expect(judged.map(({ tokens, problems }) => [tokens, ...problems])).toEqual([
    [70],
    [80],
    [0, "not_metered"],
  ]);
});

test("answersOf records the dearest round of each call, whatever the order of arguments", () => {
  const text =
    '[{"tool":"t","arguments":{"a":1,"b":2},"repeat":2},{"tool":"t","arguments":{"b":2,"a":1}}]';
  const plan = readPlan(folder.write("g.json", text));
  const answers = answersOf(plan, [playedCall(5), playedCall(9), playedCall(7)]);
  expect(answers).toMatchObject([{ tool: "t", tokens: 9 }]);
});
