import { expect, test } from "bun:test";
import {
  CallRecorder as Recorder,
  recordedCallCharactersMax,
  CallQueue,
} from "#check/call-recorder.ts";
import type { Message, Side } from "#wire/message.ts";
import { LineSplitter } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { bytesOf } from "../support/bytes.ts";
import { openCallsMax } from "#wire/pair-answers.ts";

const lines = new WeakMap<Message, string>();

class CallRecorder {
  readonly #recorder = new Recorder();

  get left(): number {
    return this.#recorder.leftOut;
  }

  take(from: Side, message: Message) {
    return this.#recorder.take(from, message, () => lines.get(message) ?? expect.unreachable());
  }

  finish() {
    return this.#recorder.finish();
  }
}

function read(text: string) {
  const [line] = new LineSplitter().push(bytesOf(`${text}\n`));
  const message = parseMessage(line ?? expect.unreachable());
  lines.set(message, text);
  return message;
}

const parseObject = (message: object) => read(JSON.stringify(message));

const makeRequest = (id: number | string, params: object, method = "tools/call") =>
  parseObject({ jsonrpc: "2.0", id, method, params });
const answered = (id: number | string, result: object = { content: [] }) =>
  parseObject({ jsonrpc: "2.0", id, result });

test("CallRecorder has a call when it is answered, in the order of the requests", () => {
  const recorder = new CallRecorder();
  expect(recorder.take("client", makeRequest(1, { name: "a", arguments: { q: "${x}" } }))).toEqual(
    [],
  );
  recorder.take(
    "client",
    makeRequest("1", { name: "b", arguments: {}, _meta: { progressToken: 1 } }),
  );
  recorder.take("client", makeRequest(2, { name: "c" }));
  expect(recorder.take("server", answered("1"))).toEqual([]);
  expect(recorder.take("server", answered(1))).toEqual([
    { tool: "a", arguments: { q: "$${x}" } },
    { tool: "b" },
  ]);
  expect(recorder.take("server", answered(2, { isError: true }))).toEqual([
    { tool: "c", isError: true },
  ]);
  expect(recorder.take("server", answered(2))).toEqual([]);
});

test("CallRecorder does not wait for a call that was cancelled, or not answered at the end", () => {
  const recorder = new CallRecorder();
  for (const [id, name] of ["a", "b", "c", "d"].entries()) {
    recorder.take("client", makeRequest(id, { name }));
  }
  expect(recorder.take("server", answered(1))).toEqual([]);
  const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } };
  expect(recorder.take("client", parseObject(cancelled))).toEqual([{ tool: "b" }]);
  expect(recorder.take("server", answered(3))).toEqual([]);
  expect(recorder.finish()).toEqual([{ tool: "d" }]);
});

test("CallRecorder takes a JSON-RPC error for an error, and no other method", () => {
  const recorder = new CallRecorder();
  recorder.take("client", makeRequest(1, { name: "a" }));
  recorder.take("client", makeRequest(2, { name: "a" }, "prompts/get"));
  const error = parseObject({ jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "no" } });
  expect(recorder.take("server", error)).toEqual([{ tool: "a", isError: true }]);
  expect(recorder.take("server", answered(2))).toEqual([]);
  // A request from the server has its own ids.
  recorder.take("client", makeRequest(3, { name: "a" }));
  expect(recorder.take("client", answered(3))).toEqual([]);
});

test("CallRecorder leaves out a call whose input the client adds", () => {
  const recorder = new CallRecorder();
  recorder.take("client", makeRequest(1, { name: "a" }));
  expect(recorder.take("server", answered(1, { resultType: "input_required" }))).toEqual([]);
});

const request = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "a" },
});

test("CallRecorder reads batches", () => {
  const recorder = new CallRecorder();
  recorder.take("client", parseObject([request(1), request(2)]));
  const answers = [1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} }));
  expect(recorder.take("server", parseObject(answers))).toHaveLength(2);
});

test("CallRecorder counts calls that are too long, or have no form of a call", () => {
  const recorder = new CallRecorder();
  const fits = "x".repeat(recordedCallCharactersMax - 'a{"q":""}'.length);
  recorder.take("client", makeRequest(1, { name: "a", arguments: { q: fits } }));
  expect(recorder.take("server", answered(1))).toHaveLength(1);
  recorder.take("client", makeRequest(2, { name: "a", arguments: { q: `${fits}x` } }));
  recorder.take("client", makeRequest(3, { name: 5 }));
  recorder.take("client", makeRequest(4, { name: "a", arguments: [] }));
  for (const id of [2, 3, 4]) expect(recorder.take("server", answered(id))).toEqual([]);
  expect(recorder.left).toBe(3);
});

const text = (id: number, value: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"a","arguments":{"n":${value}}}}`;

test("CallRecorder leaves out calls with a number that reading it changes", () => {
  const recorder = new Recorder();
  const batch = `[${text(1, "9007199254740993")},${text(2, "9007199254740991")}]`;
  recorder.take("client", read(batch), () => batch);
  for (const [id, value] of [
    [3, "1e400"],
    [4, "NaN"],
    [5, "1.50"],
  ] as const) {
    recorder.take("client", read(text(id, value)), () => text(id, value));
  }
  const recorded = [1, 2, 3, 4, 5].flatMap((id) => recorder.take("server", answered(id), () => ""));
  expect(recorded).toEqual([
    { tool: "a", arguments: { n: 9007199254740991 } },
    { tool: "a", arguments: { n: expect.any(Symbol) } },
  ]);
  expect([recorder.inexactCalls, recorder.leftOut]).toEqual([3, 0]);
});

test("CallRecorder forgets the oldest of openCallsMax calls without an answer", () => {
  const recorder = new CallRecorder();
  const call = makeRequest(0, { name: "a" });
  if (call.kind !== "request") return expect.unreachable();
  for (let id = 0; id <= openCallsMax; id += 1) {
    recorder.take("client", { ...call, id: { value: id } });
  }
  expect(recorder.take("server", answered(0))).toEqual([]);
  expect(recorder.take("server", answered(1))).toHaveLength(1);
});

test("CallRecorder counts the calls that it forgets", () => {
  const recorder = new Recorder();
  const call = makeRequest(0, { name: "a" });
  if (call.kind !== "request") return expect.unreachable();
  for (let id = 0; id < openCallsMax + 2; id += 1) {
    recorder.take("client", { ...call, id: { value: id } }, () => "");
  }
  expect(recorder.leftOut).toBe(2);
});

test("CallRecorder has both calls of a client that repeats an id, and one answered by its number as text", () => {
  const recorder = new CallRecorder();
  recorder.take("client", makeRequest(1, { name: "a" }));
  recorder.take("client", makeRequest(1, { name: "b" }));
  recorder.take("client", makeRequest(2, { name: "c" }));
  expect([1, 1, "2"].flatMap((id) => recorder.take("server", answered(id)))).toEqual([
    { tool: "a" },
    { tool: "b" },
    { tool: "c" },
  ]);
  expect(recorder.left).toBe(0);
});

const same = (call: string) => call;
const id = (value: string) => ({ value });

function makeQueue(...ids: readonly string[]) {
  const queue = new CallQueue<string>({ openMax: 3, answeredMax: 2 });
  for (const value of ids) queue.open(id(value), value.toUpperCase());
  return queue;
}

test("CallQueue gives calls in the order in which they were opened", () => {
  const queue = makeQueue("a", "b", "c");
  expect(queue.answer(id("c"), same)).toEqual([]);
  expect(queue.answer(id("a"), (call) => `${call}!`)).toEqual(["A!"]);
  expect(queue.answer(id("b"), same)).toEqual(["B", "C"]);
  expect(queue.answer(id("b"), same)).toEqual([]);
  expect(queue.finish()).toEqual([]);
});

test("CallQueue leaves out a call whose answer is none", () => {
  const queue = makeQueue("a", "b");
  expect(queue.answer(id("b"), same)).toEqual([]);
  expect(queue.answer(id("a"), () => undefined)).toEqual(["B"]);
});

test("CallQueue does not wait for a cancelled call, nor for one that is never answered", () => {
  const queue = makeQueue("a", "b", "c");
  queue.answer(id("b"), same);
  expect(queue.cancel(id("a"))).toEqual(["B"]);
  expect(queue.answer(id("a"), same)).toEqual(["A"]);
  expect(queue.cancel(id("x"))).toEqual([]);
  queue.open(id("d"), "D");
  expect(queue.answer(id("d"), same)).toEqual([]);
  expect(queue.finish()).toEqual(["D"]);
});

test("CallQueue holds no more answered calls than answeredMax", () => {
  const queue = makeQueue("a");
  const answers = ["b", "c", "d"].map((value) => {
    queue.open(id(value), value.toUpperCase());
    return queue.answer(id(value), same);
  });
  expect(answers).toEqual([[], [], ["B", "C", "D"]]);
  expect(queue.answer(id("a"), same)).toEqual(["A"]);
});

test("CallQueue abandons the oldest of openMax calls", () => {
  const queue = makeQueue("a", "b", "c", "d");
  expect(queue.abandoned).toBe(1);
  expect(queue.answer(id("a"), same)).toEqual([]);
  expect(queue.answer(id("b"), same)).toEqual(["B"]);
});

test("CallQueue gives what waited for an abandoned call", () => {
  const queue = makeQueue("a", "b", "c");
  queue.answer(id("b"), same);
  queue.open(id("d"), "D");
  expect(queue.open(id("e"), "E")).toEqual(["B"]);
});
