import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { nameCharactersMax } from "#limits.ts";
import { createdTask, taskState } from "#wire/task.ts";

describe("tasks", () => {
  const rows: readonly (readonly [what: string, result: unknown, taskId: string | undefined])[] = [
    ["2025-11-25", { task: { taskId: "t", status: "working" } }, "t"],
    ["2026", { resultType: "task", taskId: "t", status: "working" }, "t"],
    [
      "a result with content and a task of its own",
      { content: [], task: { taskId: "t" } },
      undefined,
    ],
    ["a plain result", { content: [] }, undefined],
    ["an id that is no text", { task: { taskId: 7 } }, undefined],
    ["an id too long", { task: { taskId: "t".repeat(nameCharactersMax + 1) } }, undefined],
    [
      "the longest id",
      { task: { taskId: "t".repeat(nameCharactersMax) } },
      "t".repeat(nameCharactersMax),
    ],
  ];
  for (const [what, result, taskId] of rows) {
    test(`createdTask of ${what}`, () => {
      expect(createdTask(result)?.taskId).toBe(taskId);
    });
  }

  test("taskState keeps status, result and error", () => {
    expect(taskState({ taskId: "t", status: "completed", result: { a: 1 } })).toEqual({
      taskId: "t",
      status: "completed",
      result: { a: 1 },
      error: undefined,
    });
  });
});

test("nothing throws, whatever the value", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void [createdTask(value), taskState(value)]));
});
