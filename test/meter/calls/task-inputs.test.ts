import { describe, expect, test } from "bun:test";
import { TaskInputs } from "#meter/calls/task-tracker.ts";
import { suspendedCallsMax } from "#meter/calls/task-steps.ts";

const origin = { from: "server", size: 10, atMs: 3 } as const;
const sampling = { method: "sampling/createMessage", params: { messages: [] } };
const inputs = () => new TaskInputs((text) => text);
const answers = (one: TaskInputs, taskId: string | undefined, responses: unknown) =>
  one
    .takeResponses(taskId, responses)
    .map(({ call, result }) => [call.method, call.messages, result]);

describe("TaskInputs", () => {
  test("an update answers what a state required, once, however often either is sent", () => {
    const one = inputs();
    for (let poll = 0; poll < 3; poll += 1)
      one.noteRequests("t", { inputRequests: { a: sampling } }, origin);
    expect(answers(one, "t", { a: "yes", b: "unknown" })).toEqual([
      ["sampling/createMessage", 2, "yes"],
    ]);
    expect(answers(one, "t", { a: "yes" })).toEqual([]);
    one.noteRequests("t", { inputRequests: { a: sampling } }, origin);
    expect(answers(one, "t", { a: "again" })).toEqual([]);
  });

  test("keys belong to a task, and a task has an id", () => {
    const one = inputs();
    one.noteRequests("t", { inputRequests: { a: sampling } }, origin);
    one.noteRequests(undefined, { inputRequests: { b: sampling } }, origin);
    expect(answers(one, "u", { a: 1 })).toEqual([]);
    expect(answers(one, undefined, { a: 1, b: 1 })).toEqual([]);
    expect(answers(one, "t", { a: 1, b: 1 })).toHaveLength(1);
  });

  test("what asks a person has no price", () => {
    const one = inputs();
    one.noteRequests("t", { inputRequests: { a: { method: "elicitation/create" } } }, origin);
    expect(answers(one, "t", { a: 1 })).toEqual([]);
  });

  test.each([[null], ["x"], [7], [[]]])("%j is neither requests nor responses", (value) => {
    const one = inputs();
    one.noteRequests("t", { inputRequests: value }, origin);
    one.noteRequests("t", { inputRequests: { a: sampling } }, origin);
    expect(answers(one, "t", value)).toEqual([]);
  });

  test("long ids are told apart by their hash", () => {
    const one = inputs();
    const id = "x".repeat(5_000);
    one.noteRequests(`${id}1`, { inputRequests: { a: sampling } }, origin);
    expect(answers(one, `${id}2`, { a: 1 })).toEqual([]);
    expect(answers(one, `${id}1`, { a: 1 })).toHaveLength(1);
  });

  test(`${suspendedCallsMax} requests are remembered, of more the oldest is forgotten`, () => {
    const one = inputs();
    for (let at = 0; at <= suspendedCallsMax; at += 1) {
      one.noteRequests(`t${at}`, { inputRequests: { a: sampling } }, origin);
    }
    expect(answers(one, "t0", { a: 1 })).toEqual([]);
    expect(answers(one, "t1", { a: 1 })).toHaveLength(1);
  });
});
