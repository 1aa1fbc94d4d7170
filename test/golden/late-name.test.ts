import { describe, expect, test } from "bun:test";
import { askAs, goldenReader, spokenEras } from "../support/eras.ts";
import {
  startPlay,
  clientReader,
  codexHeader,
  type PerClient,
  testTokenCounts,
  rowsOf,
  type Texts,
  tokensOf,
  wrapUntrusted,
  wireName,
} from "../support/golden-clients.ts";
import { Play } from "../support/play.ts";
import { request } from "../support/rpc.ts";

const modern = spokenEras.find(({ era }) => era === "modern") ?? expect.unreachable();
const legacy = spokenEras.find(({ era }) => era === "legacy") ?? expect.unreachable();
const search = { name: "search", arguments: {} };
const answer = {
  content: [{ type: "text", text: "Two roses bloom" }],
  structuredContent: { roses: 2 },
};
const tools = [{ name: "search", description: "Find roses", inputSchema: { type: "object" } }];

const asText: Texts = [["Two roses bloom", 3]];
const asJson: Texts = [['{"roses":2}', 6]];
const listed: Texts = [
  ["search", 1],
  ["Find roses", 2],
  ['{"type":"object"}', 5],
];
const withWait =
  '{"properties":{"wait_for_previous":{"description":"Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools.","type":"boolean"}},"type":"object"}';

/** The answer as the client shows it once its name is known, and what stays in its context of the only definition. */
const named: PerClient<{
  readonly profile: string;
  readonly shown: Texts;
  readonly resident: Texts;
  readonly isDeferred: boolean;
}> = {
  "Claude Code": {
    profile: "structured-first",
    shown: asJson,
    resident: [["mcp__server__search\n", 7]],
    isDeferred: true,
  },
  Codex: {
    profile: "structured-first",
    shown: [[`${codexHeader[0]}\n{"roses":2}`, 18]],
    resident: [],
    isDeferred: true,
  },
  "Gemini CLI": {
    profile: "content-first",
    shown: [[wrapUntrusted("Two roses bloom"), 14]],
    resident: [
      ["mcp_server_search", 4],
      ["Find roses", 2],
      [withWait, 61],
    ],
    isDeferred: false,
  },
  Cursor: {
    profile: "content-first",
    shown: asText,
    resident: [["search\n", 2]],
    isDeferred: true,
  },
  "VS Code": { profile: "structured-first", shown: asJson, resident: listed, isDeferred: false },
  unknown: { profile: "content-first", shown: asText, resident: listed, isDeferred: false },
};

testTokenCounts("the definition and both halves", [asText, asJson, listed]);
testTokenCounts(
  "the clients' forms",
  rowsOf(named).flatMap(([, { shown, resident }]) => [shown, resident]),
);

describe.each(rowsOf(named))("%s", (client, { profile, shown, resident, isDeferred }) => {
  const ask = askAs(wireName(client));

  test("from its name on, answers are read as it shows them; the estimator stays", () => {
    const played = new Play({ readerFor: clientReader(client) })
      .client(modern.ask(1, "tools/list"))
      .server(modern.answer(1, { tools }))
      .client(modern.ask(2, "tools/call", search))
      .server(modern.answer(2, answer))
      .client(ask(3, "tools/call", search))
      .server(modern.answer(3, answer))
      .client(modern.ask(4, "tools/call", search))
      .server(modern.answer(4, answer))
      .end();
    expect(played.calls.map(({ output_tokens: tokens }) => tokens)).toEqual([
      tokensOf(asText),
      tokensOf(shown),
      tokensOf(shown),
    ]);
    expect(played.records.filter((record) => record.type === "session")).toMatchObject([
      { seq: 0, client_name: null, profile: "content-first", estimator: "o200k" },
      { client_name: wireName(client), profile, estimator: "o200k" },
    ]);
    const all = tokensOf(listed);
    const known = { total_tokens: all, resident_tokens: tokensOf(resident) };
    const records = played.records.filter((record) => record.type === "definitions");
    expect(records.at(0)).toMatchObject({ total_tokens: all, resident_tokens: all });
    expect(records.at(-1)).toMatchObject({ ...known, is_deferred: isDeferred });
    expect(played.summary).toMatchObject({ sessions: 1, clients: [wireName(client)] });
  });

  test("with auto the session stays in the estimator in which it began", () => {
    const played = new Play({ readerFor: goldenReader("auto") })
      .client(modern.ask(1, "tools/call", search))
      .server(modern.answer(1, answer))
      .client(ask(2, "tools/call", search))
      .server(modern.answer(2, answer))
      .end();
    expect(played.calls.map(({ estimation_encoding: encoding }) => encoding)).toEqual([
      "o200k_base",
      "o200k_base",
    ]);
  });

  test("of the legacy era that pings before its handshake is named by it", () => {
    const { asked, answered } = legacy.begin(wireName(client));
    const played = new Play({ readerFor: clientReader(client) })
      .client(request("p", "ping"))
      .server({ jsonrpc: "2.0", id: "p", result: {} })
      .client(asked)
      .server(answered)
      .client(legacy.ask(2, "tools/call", search))
      .server(legacy.answer(2, answer))
      .end();
    expect(played.calls).toMatchObject([{ output_tokens: tokensOf(shown) }]);
    expect(played.summary.clients).toEqual([wireName(client)]);
  });

  test("is not read in another way because another client names itself later", () => {
    const played = startPlay(client, modern)
      .client(ask(1, "tools/call", search))
      .server(modern.answer(1, answer))
      .client(askAs("claude-code")(2, "tools/call", search))
      .server(modern.answer(2, answer))
      .end();
    expect(played.calls.map(({ output_tokens: tokens }) => tokens)).toEqual([
      tokensOf(shown),
      tokensOf(shown),
    ]);
    expect(played.records.filter((record) => record.type === "session")).toHaveLength(1);
  });
});
