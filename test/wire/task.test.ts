import { readCreatedTask, type TaskResult, readTaskState } from "#wire/pair-answers.ts";
import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";

describe("tasks", () => {
  const rows: readonly (readonly [what: string, result: unknown, taskId: string | undefined])[] = [
    ["2025-11-25", { task: { taskId: "t", status: "working" } }, "t"],
    ["2026", { resultType: "task", taskId: "t", status: "working" }, "t"],
    ["a result with a task and no content", { content: [], task: { taskId: "t" } }, "t"],
    ["a plain result", { content: [] }, undefined],
    ["an id that is no text", { task: { taskId: 7 } }, undefined],
    ["an id of any length", { task: { taskId: "t".repeat(5_000) } }, "t".repeat(5_000)],
  ];
  for (const [what, result, taskId] of rows) {
    test(`the created task of ${what}`, () => {
      expect(readCreatedTask(result)?.taskId).toBe(taskId);
    });
  }

  const answers: readonly (readonly [what: string, result: object, isAnswer: boolean])[] = [
    ["nothing else", {}, false],
    ["content without a block", { content: [] }, false],
    ["content", { content: [{ type: "text", text: "a" }] }, true],
    ["content that is not a list", { content: "a" }, true],
    ["structuredContent without a member", { structuredContent: {} }, true],
  ];
  for (const [what, more, isAnswer] of answers) {
    test(`the created task with ${what} beside it: an answer all the same is ${isAnswer}`, () => {
      const legacy = readCreatedTask({ task: { taskId: "t" }, ...more });
      const modern = readCreatedTask({ resultType: "task", taskId: "t", ...more });
      expect([legacy?.isAnswer, modern?.isAnswer]).toEqual([isAnswer, isAnswer]);
      expect([legacy?.isTopLevel, modern?.isTopLevel]).toEqual([false, true]);
    });
  }

  const ends: readonly (readonly [what: string, state: object, ended: TaskResult | undefined])[] = [
    ["a result", { result: { a: 1 } }, { result: { a: 1 } }],
    ["an error", { error: {} }, { error: {} }],
    ["both", { result: 1, error: 2 }, { result: 1, error: 2 }],
    ["neither", {}, undefined],
    ["null", { result: null, error: null }, undefined],
  ];
  for (const [what, state, ended] of ends) {
    test(`the task state with ${what}`, () => {
      const task = { taskId: "t", status: "working" };
      expect(readTaskState({ ...task, ...state })).toEqual({ ...task, ended });
    });
  }
});

test("nothing throws, whatever the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => void [readCreatedTask(value), readTaskState(value)]),
  );
});
