import { describe, expect, test } from "bun:test";
import { notificationMethodsMax, Tracker } from "#meter/calls/tracker.ts";
import type { Transition } from "#meter/calls/call.ts";
import type { Side } from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { bytesOf } from "../../support/bytes.ts";
import { call, notification, request, textResult } from "../../support/rpc.ts";
import { suspendedCallsMax } from "#meter/calls/task-steps.ts";

class Heard {
  readonly sentences: string[] = [];
  readonly tracker = new Tracker((text) => text);

  say(from: Side, ...messages: readonly object[]): this {
    for (const message of messages) {
      const bytes = bytesOf(JSON.stringify(message));
      const line = { bytes, size: bytes.length, skim: undefined };
      const read = parseMessage(line);
      const items = read.kind === "batch" ? read.items : [read];
      const whole = { from, line, item: undefined, size: bytes.length, hasPassed: false, atMs: 0 };
      for (const item of items) this.#tell(this.tracker.take(item, whole));
    }
    return this;
  }

  #tell(transitions: readonly Transition[]): void {
    for (const transition of transitions) {
      this.sentences.push(sentenceFor(transition));
      if (transition.kind === "requested") this.#tell(this.tracker.open(transition.call, 0));
    }
  }

  end(): this {
    this.#tell(this.tracker.end(0));
    return this;
  }

  get endings(): string[] {
    return this.sentences.filter((sentence) => /^(?:client|server) /.test(sentence));
  }
}

const heard = () => new Heard();
const done = (id: number | string) => textResult(id, "done");
const result = (id: number | string, value: object) => ({ jsonrpc: "2.0", id, result: value });
const failed = (id: number | string | null) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -1, message: "no" },
});
const poll = (id: number) => request(id, "tasks/get", { taskId: "t" });

function sentenceFor(transition: Transition): string {
  switch (transition.kind) {
    case "requested":
      return `asks ${transition.call.method}`;
    case "answered":
      return `answers ${transition.call.method} ${transition.call.id?.value}`;
    case "unexpected":
      return "answers unexpectedly";
    case "unreadable":
      return "cannot be read";
    case "repeated":
      return `answers ${transition.call.id?.value} again`;
    case "withdrawn":
      return `takes back ${transition.id.value}`;
    case "closed": {
      const { call: over, closing } = transition;
      return `${over.from} ${over.method} ${over.id?.value} ${closing.outcome} in ${over.messages}`;
    }
  }
}

describe("a call", () => {
  test("is its request and its answer", () => {
    const { sentences } = heard().say("client", call(1, "search")).say("server", done(1));
    expect(sentences).toEqual([
      "asks tools/call",
      "answers tools/call 1",
      "client tools/call 1 ok in 2",
    ]);
  });
});

describe("an answer", () => {
  test("to nobody is counted, and reported as unasked or, without an id, as one to any request", () => {
    const { sentences, tracker } = heard().say("server", done(1), failed(null), done("1"));
    const unasked = "answers unexpectedly";
    expect([sentences, tracker.unknownAnswers]).toEqual([[unasked, "cannot be read", unasked], 3]);
  });
});

describe("a task", () => {
  const working = { taskId: "t", status: "working" };

  const created = { resultType: "task", ...working };
  const finals = [
    [{ status: "completed", result: { content: [] } }, "ok"],
    [{ status: "completed", result: { content: [], isError: true } }, "tool_error"],
    [{ status: "failed", error: { code: -1 } }, "rpc_error"],
    [{ status: "cancelled" }, "cancelled"],
  ] as const;
  for (const [state, outcome] of finals) {
    test(`of 2026 that is ${state.status} is ${outcome}, by a poll or by a notification`, () => {
      const told = { taskId: "t", ...state };
      const begun = () => heard().say("client", call(1, "slow")).say("server", result(1, created));
      const polled = begun().say("client", poll(2)).say("server", result(2, told));
      const notified = begun().say("server", notification("notifications/tasks/status", told));
      expect(polled.end().endings[0]).toStartWith(`client tools/call 1 ${outcome}`);
      expect(notified.end().endings[0]).toStartWith(`client tools/call 1 ${outcome}`);
    });
  }

  test(`one beyond ${suspendedCallsMax} abandons the oldest`, () => {
    const one = heard();
    for (let id = 0; id <= suspendedCallsMax; id += 1) {
      one
        .say("client", call(id, "slow"))
        .say("server", result(id, { ...created, taskId: `t${id}` }));
    }
    expect(one.endings).toEqual(["client tools/call 0 abandoned in 2"]);
  });
});

describe("what is counted beside calls", () => {
  test("notifications by method and direction", () => {
    const one = heard();
    one.say("client", notification("a"), notification("a")).say("server", notification("a"));
    const size = JSON.stringify(notification("a")).length;
    expect(one.tracker.notifications).toEqual([
      { method: "a", from: "client", count: 2, bytes: 2 * size },
      { method: "a", from: "server", count: 1, bytes: size },
    ]);
  });

  test(`methods beyond ${notificationMethodsMax} share one entry`, () => {
    const one = heard();
    for (let at = 0; at < notificationMethodsMax + 3; at += 1)
      one.say("server", notification(`m${at}`));
    expect(one.tracker.notifications).toHaveLength(notificationMethodsMax + 1);
    expect(one.tracker.notifications.at(-1)).toMatchObject({ method: "(other)", count: 3 });
  });
});
