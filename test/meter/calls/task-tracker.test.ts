import { readCreatedTask, type TaskResult } from "#wire/pair-answers.ts";
import { describe, expect, test } from "bun:test";
import { Call, type Closed, type Repeated } from "#meter/calls/call.ts";
import { TaskTracker } from "#meter/calls/task-tracker.ts";
import type { Side } from "#wire/message.ts";
import { callOf } from "../../support/made-calls.ts";

const line = { bytes: undefined, size: 30, skim: undefined };
const text = { content: [{ type: "text", text: "a" }] };
const handle = { task: { taskId: "t", status: "working" } };

class Followed {
  readonly #tracker = new TaskTracker((id) => id);
  readonly sentences: string[] = [];
  #id = 0;

  created(tool: string, result: object = handle, from: Side = "client"): this {
    const call = this.#call(from, "tools/call", { name: tool });
    const created = readCreatedTask(result);
    if (!created) throw new Error("the result creates no task");
    return this.#say(
      this.#tracker.takeCreated(call, created, { result }, arrivalFrom(other(from))),
    );
  }

  polled(method: string, answer: TaskResult, taskId = "t", from: Side = "client"): this {
    const poll = this.#call(from, method, { taskId });
    return this.#say(this.#tracker.takePollAnswer(poll, answer, arrivalFrom(other(from))));
  }

  notified(params: object, from: Side = "server"): this {
    const notification = { method: "notifications/tasks", params, truncated: false };
    return this.#say(this.#tracker.takeNotification(notification, arrivalFrom(from)));
  }

  end(): this {
    for (const { request: asked } of this.#tracker.drain())
      this.sentences.push(`${asked.tool} waits`);
    return this;
  }

  #call(from: Side, method: string, params: object): Call {
    this.#id += 1;
    return callOf(params, { id: this.#id, method, from });
  }

  #say(closed: readonly (Closed | Repeated)[]): this {
    for (const { kind, call, closing } of closed) {
      if (kind === "repeated") this.sentences.push("text for the model");
      if (kind === "repeated") continue;
      const again = call.isRedelivery ? " again" : "";
      const name = call.request.isCall ? (call.request.tool ?? "any tool") : call.method;
      this.sentences.push(`${name} ${closing.outcome}${again}`);
    }
    return this;
  }
}

function other(side: Side): Side {
  return side === "client" ? "server" : "client";
}

function arrivalFrom(from: Side) {
  return { from, size: 30, atMs: 1, line, item: undefined, hasPassed: false };
}

const result = { result: text };
const immediate = { _meta: { "io.modelcontextprotocol/model-immediate-response": "Wait" } };
const attacks: readonly (readonly [
  what: string,
  play: (one: Followed) => Followed,
  ...said: string[],
])[] = [
  [
    "asks for the same result again",
    (one) => one.created("search").polled("tasks/result", result).polled("tasks/result", result),
    "search ok",
    "search ok again",
  ],
  [
    "cancels before the result",
    (one) =>
      one
        .created("search")
        .polled("tasks/get", { result: { status: "cancelled" } })
        .polled("tasks/result", result),
    "search cancelled",
    "tasks/get ok",
    "search ok again",
  ],
  [
    "brings an empty result before the real one",
    (one) =>
      one
        .created("search")
        .polled("tasks/get", { result: { result: {} } })
        .polled("tasks/result", result),
    "search ok",
    "tasks/get ok",
    "search ok again",
  ],
  [
    "answers tasks/get with nothing first",
    (one) =>
      one.created("search").polled("tasks/get", { result: {} }).polled("tasks/result", result),
    "tasks/get ok",
    "search ok",
  ],
  [
    "creates one task for two calls",
    (one) => one.created("search").created("free").polled("tasks/result", result),
    "search abandoned",
    "free abandoned",
    "any tool ok again",
  ],
  [
    "answers and creates a task",
    (one) =>
      one.created("search", { ...handle, structuredContent: {} }).polled("tasks/result", result),
    "search ok",
    "search ok again",
  ],
  [
    "creates a task that has ended",
    (one) =>
      one
        .created("search", { resultType: "task", taskId: "t", result: text })
        .notified({ taskId: "t", result: text }),
    "search ok",
    "search ok again",
  ],
  [
    "adds a text for the model to the handle",
    (one) => one.created("search", { ...handle, ...immediate }).polled("tasks/result", result),
    "text for the model",
    "search ok",
  ],
  [
    "adds a text for the model to a handle with an answer",
    (one) => one.created("search", { ...handle, ...immediate, ...text }),
    "search ok",
  ],
  [
    "was never asked for the task",
    (one) => one.created("search").polled("tasks/result", result, "u").end(),
    "any tool ok again",
    "search waits",
  ],
  [
    "answers with the state of another task",
    (one) =>
      one
        .created("search")
        .polled("tasks/get", { result: { taskId: "u", result: text } })
        .end(),
    "any tool ok again",
    "tasks/get ok",
    "search waits",
  ],
];

describe("a server that", () => {
  for (const [what, play, ...said] of attacks) {
    test(what, () => {
      expect(play(new Followed()).sentences).toEqual(said);
    });
  }
});

test("a task of the server with the id of a client's is another", () => {
  const one = new Followed().created("search").created("model", handle, "server");
  one.polled("tasks/result", result, "t", "server").notified({ taskId: "t", result: text });
  expect(one.end().sentences).toEqual(["model ok", "search ok"]);
});
