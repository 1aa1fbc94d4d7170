import { describe, expect, test } from "bun:test";
import { spokenEras } from "../support/eras.ts";
import {
  startPlay,
  codexHeader,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wrapUntrusted,
} from "../support/golden-clients.ts";
import type { Play } from "../support/play.ts";
import { pngOf } from "../support/png.ts";
import { request } from "../support/rpc.ts";

const image = { type: "image", data: pngOf(1_024, 1_024), mimeType: "image/png" };
const params = {
  messages: [
    { role: "user", content: { type: "text", text: "Which rose is this?" } },
    { role: "user", content: image },
  ],
  maxTokens: 50,
};
const sampled = { role: "assistant", model: "m", content: { type: "text", text: "A dog rose" } };

const question: Texts = [["Which rose is this?", 5]];
const opinion: Texts = [["A dog rose", 3]];
const written: Texts = [
  ["name-rose", 3],
  ["{}", 1],
];
const plain: Texts = [["It is a dog rose", 5]];
/** 32 × 32 patches of 32 pixels, by 1.2: GPT-5.5, as which a model that is not known is priced. */
const byPatchesOf32 = 1_229;

const clients: PerClient<{ readonly image: number; readonly shown: Texts }> = {
  // 37 × 37 patches of 28 pixels.
  "Claude Code": { image: 37 * 37, shown: plain },
  Codex: { image: byPatchesOf32, shown: [codexHeader, ...plain] },
  // Gemini 3: one price for every size.
  "Gemini CLI": { image: 1_100, shown: [[wrapUntrusted("It is a dog rose"), 16]] },
  Cursor: { image: byPatchesOf32, shown: plain },
  "VS Code": { image: byPatchesOf32, shown: plain },
  unknown: { image: byPatchesOf32, shown: plain },
};

testTokenCounts("the messages", [
  question,
  opinion,
  written,
  ...rowsOf(clients).map(([, row]) => row.shown),
]);

const samplings = (played: Play) =>
  played.calls.filter(({ method }) => method === "sampling/createMessage");

const eraNamed = (name: "legacy" | "modern") =>
  spokenEras.find(({ era }) => era === name) ?? expect.unreachable();

describe.each(rowsOf(clients))("a question to the model of %s", (client, priced) => {
  const row = {
    method: "sampling/createMessage",
    outcome: "ok",
    input_tokens: tokensOf(question) + priced.image,
    output_tokens: tokensOf(opinion),
  };

  test("is a request of the server in the legacy era", () => {
    const played = startPlay(client, eraNamed("legacy"))
      .server(request("s1", "sampling/createMessage", params))
      .client({ jsonrpc: "2.0", id: "s1", result: sampled })
      .end();
    expect(samplings(played)).toMatchObject([row]);
  });

  test("is inside an answer that requires input in the modern era", () => {
    const era = eraNamed("modern");
    const call = { name: "name-rose", arguments: {} };
    const inputRequests = { rose: { method: "sampling/createMessage", params } };
    const round = { inputResponses: { rose: sampled }, requestState: "one" };
    const played = startPlay(client, era)
      .client(era.ask(1, "tools/call", call))
      .server(era.answer(1, { resultType: "input_required", inputRequests, requestState: "one" }))
      .client(era.ask(2, "tools/call", { ...call, ...round }))
      .server(era.answer(2, { content: [] }))
      .end();
    expect(samplings(played)).toMatchObject([row]);
  });

  test("is inside the state of a task in the modern era, once however often it is polled", () => {
    const era = eraNamed("modern");
    const task = { taskId: "t", status: "working", ttlMs: 60_000 };
    const inputRequests = { rose: { method: "sampling/createMessage", params } };
    const waiting = { ...task, status: "input_required", inputRequests };
    const result = { content: [{ type: "text", text: "It is a dog rose" }] };
    const played = startPlay(client, era)
      .client(era.ask(1, "tools/call", { name: "name-rose", arguments: {} }))
      .server(era.answer(1, { resultType: "task", ...task }))
      .client(era.ask(2, "tasks/get", { taskId: "t" }))
      .server(era.answer(2, waiting))
      .client(era.ask(3, "tasks/get", { taskId: "t" }))
      .server(era.answer(3, waiting))
      .client(era.ask(4, "tasks/update", { taskId: "t", inputResponses: { rose: sampled } }))
      .server(era.answer(4, {}))
      .client(era.ask(5, "tasks/get", { taskId: "t" }))
      .server(era.answer(5, { ...task, status: "completed", result }))
      .end();
    expect(samplings(played)).toMatchObject([row]);
    const { tools, total } = played.summary;
    expect(tools.map(({ tool, calls }) => [tool, calls])).toEqual([
      ["(sampling/createMessage)", 1],
      ["name-rose", 1],
    ]);
    const called = tokensOf(written) + tokensOf(priced.shown);
    expect(total.total_tokens).toBe(row.input_tokens + row.output_tokens + called);
  });

  test("of a task of the server and one of the client with the same id are two", () => {
    const era = eraNamed("legacy");
    const task = { taskId: "t", status: "working" };
    const done = { content: [{ type: "text", text: "It is a dog rose" }] };
    const played = startPlay(client, era)
      .client(era.ask(1, "tools/call", { name: "name-rose", arguments: {}, task: {} }))
      .server(era.answer(1, { task }))
      .server(request("s1", "sampling/createMessage", { ...params, task: {} }))
      .client({ jsonrpc: "2.0", id: "s1", result: { task } })
      .server(request("s2", "tasks/result", { taskId: "t" }))
      .client({ jsonrpc: "2.0", id: "s2", result: sampled })
      .client(era.ask(2, "tasks/result", { taskId: "t" }))
      .server(era.answer(2, done))
      .end();
    expect(samplings(played)).toMatchObject([row]);
    expect(played.calls.filter(({ tool }) => tool === "name-rose")).toMatchObject([
      { outcome: "ok", output_tokens: tokensOf(priced.shown) },
    ]);
  });
});
