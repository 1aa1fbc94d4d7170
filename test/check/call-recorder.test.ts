import { expect, test } from "bun:test";
import { CallRecorder } from "#check/call-recorder.ts";
import { openCallsMax, recordedCallCharactersMax } from "#limits.ts";
import { LineSplitter } from "#wire/line.ts";
import { parseMessage } from "#wire/parse-message.ts";
import { bytesOf } from "../support/bytes.ts";

function messageOf(message: object) {
  const [line] = new LineSplitter().push(bytesOf(`${JSON.stringify(message)}\n`));
  return parseMessage(line ?? expect.unreachable());
}

const asked = (id: number | string, params: object, method = "tools/call") =>
  messageOf({ jsonrpc: "2.0", id, method, params });
const answered = (id: number | string, result: object = { content: [] }) =>
  messageOf({ jsonrpc: "2.0", id, result });

test("CallRecorder has a call when it is answered, in the order of the answers", () => {
  const recorder = new CallRecorder();
  expect(recorder.take("client", asked(1, { name: "a", arguments: { q: "${x}" } }))).toEqual([]);
  recorder.take("client", asked("1", { name: "b", arguments: {}, _meta: { progressToken: 1 } }));
  recorder.take("client", asked(2, { name: "c" }));
  expect(recorder.take("server", answered("1"))).toEqual([{ tool: "b" }]);
  expect(recorder.take("server", answered(1))).toEqual([{ tool: "a", arguments: { q: "$${x}" } }]);
  expect(recorder.take("server", answered(2, { isError: true }))).toEqual([
    { tool: "c", isError: true },
  ]);
  expect(recorder.take("server", answered(2))).toEqual([]);
});

test("CallRecorder takes a JSON-RPC error for an error, and no other method", () => {
  const recorder = new CallRecorder();
  recorder.take("client", asked(1, { name: "a" }));
  recorder.take("client", asked(2, { name: "a" }, "prompts/get"));
  const error = messageOf({ jsonrpc: "2.0", id: 1, error: { code: -32_602, message: "no" } });
  expect(recorder.take("server", error)).toEqual([{ tool: "a", isError: true }]);
  expect(recorder.take("server", answered(2))).toEqual([]);
  // A request of the server has ids of its own.
  recorder.take("client", asked(3, { name: "a" }));
  expect(recorder.take("client", answered(3))).toEqual([]);
});

test("CallRecorder leaves out a call whose input the client adds", () => {
  const recorder = new CallRecorder();
  recorder.take("client", asked(1, { name: "a" }));
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
  recorder.take("client", messageOf([request(1), request(2)]));
  const answers = [1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} }));
  expect(recorder.take("server", messageOf(answers))).toHaveLength(2);
});

test("CallRecorder counts calls that are too long, or have no form of a call", () => {
  const recorder = new CallRecorder();
  const fits = "x".repeat(recordedCallCharactersMax - 'a{"q":""}'.length);
  recorder.take("client", asked(1, { name: "a", arguments: { q: fits } }));
  expect(recorder.take("server", answered(1))).toHaveLength(1);
  recorder.take("client", asked(2, { name: "a", arguments: { q: `${fits}x` } }));
  recorder.take("client", asked(3, { name: 5 }));
  recorder.take("client", asked(4, { name: "a", arguments: [] }));
  for (const id of [2, 3, 4]) expect(recorder.take("server", answered(id))).toEqual([]);
  expect(recorder.left).toBe(3);
});

test("CallRecorder forgets the oldest of openCallsMax calls without an answer", () => {
  const recorder = new CallRecorder();
  const call = asked(0, { name: "a" });
  if (call.kind !== "request") return expect.unreachable();
  for (let id = 0; id <= openCallsMax; id += 1) {
    recorder.take("client", { ...call, id: { value: id } });
  }
  expect(recorder.take("server", answered(0))).toEqual([]);
  expect(recorder.take("server", answered(1))).toHaveLength(1);
});
