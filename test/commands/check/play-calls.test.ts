import { afterAll, expect, test } from "bun:test";
import { playCalls, readPlan } from "#commands/check/play-calls.ts";
import { callsPlayedMax } from "#limits.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());

test("readPlan allows callsPlayedMax calls, and not one more", () => {
  const [most, more] = [callsPlayedMax, callsPlayedMax + 1].map((repeat) =>
    folder.write(`${repeat}.json`, [{ tool: "t", repeat }]),
  );
  expect(readPlan(most ?? "")).toHaveLength(1);
  expect(() => readPlan(more ?? "")).toThrow("asks for 10001 calls, at most 10000 are played");
  expect(() => readPlan(folder.write("d.json", {}))).toThrow("not an object; example: [{");
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
