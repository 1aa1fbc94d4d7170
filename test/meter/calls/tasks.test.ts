import { expect, test } from "bun:test";
import { nameCharactersMax } from "#kit/limits.ts";
import { Tasks, suspendedCallsMax } from "#meter/calls/task-steps.ts";
import { callOf } from "../../support/made-calls.ts";

const begun = (id: number, name = "search") => callOf({ name }, { id });

const book = (): Tasks => new Tasks((text) => text.slice(-1));
const search = {
  method: "tools/call",
  tool: "search",
  tally: { tokens: 0, owed: 0 },
  isForApp: false,
};

test(`ids over ${nameCharactersMax} characters are told apart by their hash`, () => {
  const tasks = book();
  const long = "x".repeat(nameCharactersMax);
  tasks.take(`${long}1`, "created", begun(1));
  tasks.take(`${long}2`, "created", begun(2, "free"));
  expect(tasks.take(`${long}1`, "delivered").owner).toEqual(search);
  expect(tasks.take(`${long}2`, "delivered").owner).toMatchObject({ tool: "free" });
  expect(tasks.take(`${long}3`, "delivered").step.charged).toBe("every tool");
});

test(`one beyond ${suspendedCallsMax} gives up the oldest, whose result belongs to its tool`, () => {
  const tasks = book();
  const first = begun(0);
  tasks.take("t0", "created", first);
  for (let at = 1; at < suspendedCallsMax; at += 1) {
    expect(tasks.take(`t${at}`, "created", begun(at)).displaced).toBeUndefined();
  }
  expect(tasks.take("one more", "created", begun(-1)).displaced).toBe(first);
  expect(tasks.take("t0", "delivered").step.charged).toBe("its tool");
});

test(`of tasks that are over, one beyond ${suspendedCallsMax} makes the oldest unknown`, () => {
  const tasks = book();
  for (let at = 0; at <= suspendedCallsMax; at += 1) tasks.take(`t${at}`, "mentioned", begun(at));
  expect(tasks.take("t0", "delivered").step.charged).toBe("every tool");
  expect(tasks.take("t1", "delivered").step.charged).toBe("its tool");
});
