// What a server asks its client's model: images by their size, in every form that a request may have.
import { describe, expect, test } from "bun:test";
import { goldenReader, o200kTokens, spokenEras } from "../support/eras.ts";
import { pngOf } from "../support/png.ts";
import { Play } from "../support/play.ts";
import { request } from "../support/rpc.ts";

const question = "Which rose is this?";
const image = { type: "image", data: pngOf(1_024, 1_024), mimeType: "image/png" };
const params = {
  messages: [
    { role: "user", content: { type: "text", text: question } },
    { role: "user", content: image },
  ],
  maxTokens: 50,
};
const sampled = { role: "assistant", model: "m", content: { type: "text", text: "A dog rose" } };

// A model that is not known is priced like GPT-5.5: 32 × 32 patches of 32 pixels, by 1.2.
const imageTokens = Math.ceil(32 * 32 * 1.2);
const row = {
  method: "sampling/createMessage",
  outcome: "ok",
  input_tokens: o200kTokens(question) + imageTokens,
  output_tokens: o200kTokens("A dog rose"),
};

function begun(name: "legacy" | "modern") {
  const era = spokenEras.find((one) => one.era === name) ?? expect.unreachable();
  const { asked, answered } = era.begin("golden-host");
  const played = new Play({ readerFor: goldenReader("o200k") }).client(asked).server(answered);
  return { era, played };
}

const samplings = (played: Play) =>
  played.end().calls.filter(({ method }) => method === "sampling/createMessage");

test("the parts have these tokens", () => {
  expect([o200kTokens(question), imageTokens, o200kTokens("A dog rose")]).toEqual([5, 1_229, 3]);
});

describe("a question to a model", () => {
  test("is a request of the server in the legacy era", () => {
    const { played } = begun("legacy");
    played
      .server(request("s1", "sampling/createMessage", params))
      .client({ jsonrpc: "2.0", id: "s1", result: sampled });
    expect(samplings(played)).toMatchObject([row]);
  });

  test("is inside an answer that requires input in the modern era", () => {
    const { era, played } = begun("modern");
    const call = { name: "name-rose", arguments: {} };
    const inputRequests = { rose: { method: "sampling/createMessage", params } };
    const round = { inputResponses: { rose: sampled }, requestState: "one" };
    played
      .client(era.ask(1, "tools/call", call))
      .server(era.answer(1, { resultType: "input_required", inputRequests, requestState: "one" }))
      .client(era.ask(2, "tools/call", { ...call, ...round }))
      .server(era.answer(2, { content: [] }));
    expect(samplings(played)).toMatchObject([row]);
  });

  test("is inside the state of a task in the modern era, once however often it is polled", () => {
    const { era, played } = begun("modern");
    const task = { taskId: "t", status: "working", ttlMs: 60_000 };
    const inputRequests = { rose: { method: "sampling/createMessage", params } };
    const waiting = { ...task, status: "input_required", inputRequests };
    const text = "It is a dog rose";
    const result = { content: [{ type: "text", text }] };
    played
      .client(era.ask(1, "tools/call", { name: "name-rose", arguments: {} }))
      .server(era.answer(1, { resultType: "task", ...task }))
      .client(era.ask(2, "tasks/get", { taskId: "t" }))
      .server(era.answer(2, waiting))
      .client(era.ask(3, "tasks/get", { taskId: "t" }))
      .server(era.answer(3, waiting))
      .client(era.ask(4, "tasks/update", { taskId: "t", inputResponses: { rose: sampled } }))
      .server(era.answer(4, {}))
      .client(era.ask(5, "tasks/get", { taskId: "t" }))
      .server(era.answer(5, { ...task, status: "completed", result }));
    expect(samplings(played)).toMatchObject([row]);
    const { tools, total } = played.summary;
    expect(tools.map(({ tool, calls }) => [tool, calls])).toEqual([
      ["(sampling/createMessage)", 1],
      ["name-rose", 1],
    ]);
    const called = o200kTokens("name-rose") + o200kTokens("{}") + o200kTokens(text);
    expect(total.total_tokens).toBe(row.input_tokens + row.output_tokens + called);
  });

  test("of a task of the server and one of the client with the same id are two", () => {
    const { era, played } = begun("legacy");
    const task = { taskId: "t", status: "working" };
    const done = { content: [{ type: "text", text: "Three roses" }] };
    played
      .client(era.ask(1, "tools/call", { name: "name-rose", arguments: {}, task: {} }))
      .server(era.answer(1, { task }))
      .server(request("s1", "sampling/createMessage", { ...params, task: {} }))
      .client({ jsonrpc: "2.0", id: "s1", result: { task } })
      .server(request("s2", "tasks/result", { taskId: "t" }))
      .client({ jsonrpc: "2.0", id: "s2", result: sampled })
      .client(era.ask(2, "tasks/result", { taskId: "t" }))
      .server(era.answer(2, done));
    expect(samplings(played)).toMatchObject([row]);
    expect(played.calls.filter(({ tool }) => tool === "name-rose")).toMatchObject([
      { outcome: "ok", output_tokens: o200kTokens("Three roses") },
    ]);
  });
});
