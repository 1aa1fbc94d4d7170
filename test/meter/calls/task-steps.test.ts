import { describe, expect, test } from "bun:test";
import { type TaskEvent, type TaskStage, taskSteps } from "#meter/calls/task-steps.ts";

const stages = Object.keys(taskSteps) as TaskStage[];
const events = Object.keys(taskSteps.unknown) as TaskEvent[];

describe("every cell of the table", () => {
  for (const stage of stages) {
    for (const event of events) {
      const step = taskSteps[stage][event];
      test(`${stage}, ${event}: a result is charged, and nothing else is`, () => {
        expect(step.charged !== undefined).toBe(event === "delivered");
      });

      test(`${stage}, ${event}: a call waits in one stage, and its end is said when it leaves`, () => {
        const isLeft = stage === "waiting" && step.next !== "waiting";
        expect(step.older !== undefined).toBe(isLeft);
        expect(step.newer === "waits").toBe(step.next === "waiting" && stage !== "waiting");
      });

      test(`${stage}, ${event}: a call that is answered goes on or ends`, () => {
        expect(step.newer !== undefined).toBe(event === "created" || event === "mentioned");
      });
    }
  }
});

test("only the call that waits for it, or its only tool, narrows the budgets of a result", () => {
  const charged = stages.map((stage) => [stage, taskSteps[stage].delivered.charged]);
  expect(Object.fromEntries(charged)).toEqual({
    unknown: "every tool",
    waiting: "its call",
    over: "its tool",
    shared: "every tool",
  });
});

test("an id that was given twice stays shared", () => {
  for (const event of events) expect(taskSteps.shared[event].next).toBe("shared");
});
