import { afterAll, expect, test } from "bun:test";
import { readPlan } from "#commands/check/read-plan.ts";
import { callsPlayedMax } from "#limits.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());

test("readPlan allows callsPlayedMax calls, and not one more", () => {
  const [most, more] = [callsPlayedMax, callsPlayedMax + 1].map((repeat) =>
    folder.write(`${repeat}.json`, [{ tool: "t", repeat }]),
  );
  expect(readPlan(most ?? "")).toHaveLength(1);
  expect(() => readPlan(more ?? "")).toThrow("asks for 10,001 calls, at most 10,000 are played");
});

test("readPlan reads budgets such as 2k, and refuses a file without a list of calls", () => {
  const plan = readPlan(folder.write("b.yaml", "- { tool: a, budget: 2k }\n"));
  expect(plan).toMatchObject([{ tool: "a", budgetTokens: 2_000 }]);
  expect(() => readPlan(folder.write("d.json", {}))).toThrow("not an object; example: [{");
});
