import { readCreatedTask, type TaskResult } from "#wire/pair-answers.ts";
import { describe, expect, test } from "bun:test";
import {
  readAnswerInCreated,
  readNotificationNews,
  readPollNews,
  type TaskNews,
} from "#meter/calls/task-tracker.ts";

const text = { content: [{ type: "text", text: "a" }] };
const poll = (method: string) => ({ method, subject: "t" });

function gist(news: TaskNews | undefined): unknown {
  if (!news) return undefined;
  const { taskId, event, delivered } = news;
  return delivered ? [taskId, event, delivered.result, delivered.isWhole] : [taskId, event];
}

const answers: readonly (readonly [
  what: string,
  method: string,
  answer: TaskResult,
  news: unknown,
])[] = [
  ["the result", "tasks/result", { result: text }, ["t", "delivered", { result: text }, true]],
  ["an error", "tasks/result", { error: {} }, ["t", "delivered", { error: {} }, true]],
  ["an error", "tasks/get", { error: {} }, ["t", "delivered", { error: {} }, true]],
  ["an error", "tasks/cancel", { error: {} }, undefined],
  [
    "a state and an error",
    "tasks/get",
    { result: { taskId: "t" }, error: {} },
    ["t", "delivered", { result: { taskId: "t" }, error: {} }, true],
  ],
  ["a state", "tasks/get", { result: { taskId: "t", status: "working" } }, ["t", "status"]],
  ["nothing", "tasks/get", { result: {} }, ["t", "status"]],
  ["a cancelled state", "tasks/cancel", { result: { status: "cancelled" } }, ["t", "cancelled"]],
  [
    "a cancelled state with a result",
    "tasks/get",
    { result: { status: "cancelled", result: text } },
    ["t", "delivered", { result: text }, false],
  ],
  [
    "the state of another task",
    "tasks/get",
    { result: { taskId: "u", result: text } },
    [undefined, "delivered", { result: text }, false],
  ],
  [
    "a state that could not be parsed",
    "tasks/get",
    { result: undefined },
    ["t", "delivered", { result: undefined }, true],
  ],
];

describe("the answer to a request about a task", () => {
  for (const [what, method, answer, news] of answers) {
    test(`${method} with ${what}`, () => {
      expect(gist(readPollNews(poll(method), answer))).toEqual(news);
    });
  }
});

const told = (params: unknown, truncated = false) =>
  readNotificationNews({ method: "notifications/tasks", params, truncated }, "server");

describe("a notification", () => {
  test("that could not be parsed may bring the result of any task", () => {
    const unread = [undefined, "delivered", { result: undefined }, true];
    expect(gist(told(undefined, true))).toEqual(unread);
  });

  test("of the client cannot be replaced", () => {
    const note = { method: "notifications/tasks", params: { taskId: "t", result: text } };
    const news = readNotificationNews({ ...note, truncated: false }, "client");
    expect(news.delivered?.carrier).toBeUndefined();
  });
});

function answerIn(result: object): unknown {
  const created = readCreatedTask(result);
  return created && readAnswerInCreated(created, { result })?.result;
}

describe("the answer in a result that creates a task", () => {
  const task = { resultType: "task", taskId: "t" };

  test("is its content, the end of its task, or both together", () => {
    expect(answerIn({ ...task, ...text })).toEqual({ result: { ...task, ...text } });
    expect(answerIn({ ...task, result: text })).toEqual({ result: text });
    const both = { ...task, ...text, result: text };
    expect(answerIn(both)).toEqual({ result: { result: both } });
  });
});
