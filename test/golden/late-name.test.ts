// A client of the stateless protocol that names itself after its first call.
import { expect, test } from "bun:test";
import { askAs, goldenReader, o200kTokens, spokenEras } from "../support/eras.ts";
import { Play } from "../support/play.ts";
import { request } from "../support/rpc.ts";

const modern = spokenEras.find(({ era }) => era === "modern") ?? expect.unreachable();
const legacy = spokenEras.find(({ era }) => era === "legacy") ?? expect.unreachable();
const search = { name: "search", arguments: {} };
const text = "Two roses bloom";
const structuredContent = { roses: 2 };
const answer = { content: [{ type: "text", text }], structuredContent };
const tools = [{ name: "search", description: "Find roses", inputSchema: { type: "object" } }];

/** A line with its name stays in the context of Claude Code, which loads definitions on demand. */
const names = o200kTokens("mcp__server__search\n");
const all = o200kTokens("search") + o200kTokens("Find roses") + o200kTokens('{"type":"object"}');
const asText = o200kTokens(text);
const asJson = o200kTokens('{"roses":2}');

test("from its name on, answers are read as this client shows them; the estimator stays", () => {
  const played = new Play({ readerFor: goldenReader("o200k") })
    .client(modern.ask(1, "tools/list"))
    .server(modern.answer(1, { tools }))
    .client(modern.ask(2, "tools/call", search))
    .server(modern.answer(2, answer))
    .client(askAs("claude-code")(3, "tools/call", search))
    .server(modern.answer(3, answer))
    .client(modern.ask(4, "tools/call", search))
    .server(modern.answer(4, answer))
    .end();
  expect([asText, asJson]).toEqual([3, 6]);
  expect(played.calls.map(({ output_tokens: tokens }) => tokens)).toEqual([asText, asJson, asJson]);
  expect(played.records.filter((record) => record.type === "session")).toMatchObject([
    { seq: 0, client_name: null, profile: "content-first", estimator: "o200k" },
    { client_name: "claude-code", profile: "structured-first", estimator: "o200k" },
  ]);
  expect(played.records.filter((record) => record.type === "definitions")).toMatchObject([
    { total_tokens: all, resident_tokens: all, is_deferred: false },
    { total_tokens: all, resident_tokens: names, is_deferred: true },
  ]);
  expect(played.summary).toMatchObject({ sessions: 1, clients: ["claude-code"] });
});

test("with auto the session stays in the estimator in which it began", () => {
  const played = new Play({ readerFor: goldenReader("auto") })
    .client(modern.ask(1, "tools/call", search))
    .server(modern.answer(1, answer))
    .client(askAs("claude-code")(2, "tools/call", search))
    .server(modern.answer(2, answer))
    .end();
  expect(played.calls.map(({ output_tokens: tokens }) => tokens)).toEqual([asText, asJson]);
  expect(played.calls.map(({ estimation_encoding: encoding }) => encoding)).toEqual([
    "o200k_base",
    "o200k_base",
  ]);
});

test("a client of the legacy era that calls before its handshake is named by it", () => {
  const { asked, answered } = legacy.begin("claude-code");
  const played = new Play({ readerFor: goldenReader("o200k") })
    .client(request("p", "ping"))
    .server({ jsonrpc: "2.0", id: "p", result: {} })
    .client(asked)
    .server(answered)
    .client(legacy.ask(2, "tools/call", search))
    .server(legacy.answer(2, answer))
    .end();
  expect(played.calls).toMatchObject([{ output_tokens: asJson }]);
  expect(played.summary.clients).toEqual(["claude-code"]);
});

test("a client that only changes its name is not read in another way", () => {
  const played = new Play({ readerFor: goldenReader("o200k") })
    .client(askAs("golden-host")(1, "tools/call", search))
    .server(modern.answer(1, answer))
    .client(askAs("claude-code")(2, "tools/call", search))
    .server(modern.answer(2, answer))
    .end();
  expect(played.calls.map(({ output_tokens: tokens }) => tokens)).toEqual([asText, asText]);
  expect(played.records.filter((record) => record.type === "session")).toHaveLength(1);
});
