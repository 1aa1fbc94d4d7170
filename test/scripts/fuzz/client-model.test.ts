import { expect, test } from "bun:test";
import { viewOfClient } from "../../../scripts/fuzz/client-model.ts";
import { madeAnswer, madeCall, madeTranscript, type Said } from "./made-transcript.ts";

const outputs = (...said: readonly Said[]): (number | undefined)[] =>
  viewOfClient(madeTranscript(said)).calls.map(({ outputTokens }) => outputTokens);

const say = (by: "client" | "server", message: object): Said => [
  by,
  JSON.stringify({ jsonrpc: "2.0", ...message }),
];

const params = { name: "alpha", arguments: {} };

test("an answer belongs to its request, whatever the order; others are ignored", () => {
  expect(
    outputs(
      madeCall(1),
      madeCall(2),
      madeAnswer(2, 30),
      madeAnswer(1, 3),
      madeAnswer(1, 90),
      madeAnswer(9, 90),
    ),
  ).toEqual([1, 10]);
});

test("an id as text belongs to the number, as client libraries convert it", () => {
  expect(outputs(madeCall(1), madeAnswer("1", 3))).toEqual([1]);
  expect(outputs(madeCall(1), madeAnswer(" 1.0 ", 3))).toEqual([1]);
  expect(outputs(madeCall(1), madeAnswer("x", 3))).toEqual([undefined]);
});

test("a cancelled call and a refused one have no answer", () => {
  const cancel = say("client", { method: "notifications/cancelled", params: { requestId: 1 } });
  expect(outputs(madeCall(1), cancel, madeAnswer(1, 3))).toEqual([undefined]);
  const content = [{ type: "text", text: "mcp-meter: alpha was not run. Its …" }];
  expect(outputs(madeCall(1), say("server", { id: 1, result: { content } }))).toEqual([undefined]);
});

test("of two requests with one id, the refused one is the newer: the answer belongs to the other", () => {
  const content = [{ type: "text", text: "mcp-meter: alpha was not run. Its …" }];
  const refusal = say("server", { id: 1, result: { content } });
  expect(outputs(madeCall(1), madeCall(1), refusal, madeAnswer(1, 30))).toEqual([10, undefined]);
});

test("an answer with a result and an error counts as the larger", () => {
  const error = { code: -1, message: "x".repeat(300) };
  const both = say("server", { id: 1, result: { content: [] }, error });
  expect(outputs(madeCall(1), both)).toEqual([101]);
});

test("rounds of input are one call", () => {
  const required = { resultType: "input_required", requestState: "s", inputRequests: {} };
  const again = say("client", {
    id: 2,
    method: "tools/call",
    params: { ...params, requestState: "s", inputResponses: {} },
  });
  const view = viewOfClient(
    madeTranscript([
      madeCall(1),
      say("server", { id: 1, result: required }),
      again,
      madeAnswer(2, 3),
    ]),
  );
  expect(view.calls).toHaveLength(1);
  expect(view.resumed).toBe(1);
  expect(view.calls[0]?.outputTokens).toBe(1);
});

test("the result of a task belongs to the call that began it, in both eras", () => {
  const legacy = [
    say("server", { id: 1, result: { task: { taskId: "t", status: "working" } } }),
    say("client", { id: 2, method: "tasks/result", params: { taskId: "t" } }),
    madeAnswer(2, 3),
  ];
  expect(outputs(madeCall(1), ...legacy)).toEqual([1]);
  const result = { content: [{ type: "text", text: "xxxxxx" }] };
  const modern = [
    say("server", { id: 1, result: { resultType: "task", taskId: "t", status: "working" } }),
    say("server", { method: "notifications/tasks", params: { taskId: "t", result } }),
  ];
  expect(outputs(madeCall(1), ...modern)).toEqual([2]);
});

test("a result of a task that no call waits for is counted apart", () => {
  const ask = (id: number): Said =>
    say("client", { id, method: "tasks/result", params: { taskId: "t" } });
  const begin = say("server", { id: 1, result: { task: { taskId: "t", status: "working" } } });
  const said = [madeCall(1), begin, ask(2), madeAnswer(2, 3), ask(3), madeAnswer(3, 3)];
  const view = viewOfClient(madeTranscript(said));
  expect(view.redelivered).toBe(1);
  expect(view.calls.map(({ outputTokens }) => outputTokens)).toEqual([2]);
});
