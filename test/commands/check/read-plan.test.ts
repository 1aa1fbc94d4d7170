import { expect, test } from "bun:test";
import { readPlan, callsPlayedMax } from "#commands/check/command.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
test("readPlan allows callsPlayedMax calls, and not one more", () => {
  const [most, more] = [callsPlayedMax, callsPlayedMax + 1].map((repeat) =>
    folder.write(`${repeat}.json`, [{ tool: "t", repeat }]),
  );
  expect(readPlan(most, {}).calls).toHaveLength(1);
  expect(() => readPlan(more, {})).toThrow("asks for 10,001 calls, at most 10,000 are played");
});

test("readPlan reads budgets such as 2k, and refuses a file without a list of calls", () => {
  const plan = readPlan(folder.write("b.yaml", "- { tool: a, budget: 2k }\n"), {});
  expect(plan.calls).toMatchObject([{ tool: "a", budgetTokens: 2_000 }]);
  expect(() => readPlan(folder.write("d.json", {}), {})).toThrow("/d.json:1:1: calls is required");
  expect(() => readPlan("/nowhere.json", {})).toThrow('Cannot read "/nowhere.json": no such file');
  expect(readPlan(undefined, {}).calls).toEqual([]);
});

test("readPlan names line and column of an invalid JSON pointer", () => {
  const text = "- tool: a\n  expect:\n    equals:\n      /ok: 1\n      /a~2: 1\n";
  const file = folder.write("pointer.yaml", text);
  expect(() => readPlan(file, {})).toThrow(
    `${file}:5:7: "/a~2" in calls[0].expect.equals must be a JSON pointer such as /results/0/name, where a name has "~" as "~0" and "/" as "~1"`,
  );
});

test("readPlan names line and column of a mistake", () => {
  const file = folder.write("e.yaml", "- tool: a\n  arguments:\n    key: ${ABSENT}\n");
  expect(() => readPlan(file, {})).toThrow(`${file}:3:10: the variable ABSENT is not set`);
  expect(readPlan(file, { ABSENT: "x" }).calls[0]?.sent).toEqual({ key: "x" });
  const misspelt = folder.write("f.json", '[\n  { "tool": "a",\n    "bugdet": 5 }\n]');
  expect(() => readPlan(misspelt, {})).toThrow(
    `${misspelt}:3:5: unknown property "bugdet" in calls[0] (did you mean "budget"?)`,
  );
});

test("readPlan refuses a file whose calls are all skipped, and counts only the others", () => {
  const none = folder.write("g.yaml", "- { tool: a, skip: slow }\n- { tool: b, skip: slow }\n");
  expect(() => readPlan(none, {})).toThrow("is skipped: there is nothing to check");
  const some = folder.write("h.json", [
    { tool: "a", repeat: callsPlayedMax },
    { tool: "b", repeat: callsPlayedMax, skip: "slow" },
  ]);
  expect(readPlan(some, {}).calls).toHaveLength(2);
});
