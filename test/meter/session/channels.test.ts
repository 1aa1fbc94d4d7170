import { describe, expect, test } from "bun:test";
import { clientReader } from "../../support/golden-clients.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { Play } from "../../support/play.ts";
import { call, request, textResult } from "../../support/rpc.ts";

const method = "notifications/claude/channel";
const long = "word ".repeat(2_000);

const pushed = (content: unknown, meta?: unknown): object => ({
  jsonrpc: "2.0",
  method,
  params: { content, ...(meta === undefined ? {} : { meta }) },
});

type Told = { readonly client?: string; readonly budgets?: readonly string[] };

function greeted({ client = "claude-code", budgets = [] }: Told): GatedSession {
  const params = {
    protocolVersion: "2025-11-25",
    clientInfo: { name: client, version: "2" },
    capabilities: {},
  };
  const capabilities = { experimental: { "claude/channel": {} } };
  return new GatedSession(budgets).client(request(0, "initialize", params)).server({
    jsonrpc: "2.0",
    id: 0,
    result: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "ci" } },
  });
}

function passes(session: GatedSession, message: object): boolean {
  const before = session.toClient.length;
  session.server(message);
  return session.toClient.length > before;
}

describe("a text that a server pushes to Claude Code", () => {
  test("is a call without a request, priced as the tag in the context", () => {
    const session = greeted({});
    session.server(pushed("build failed", { severity: "high", "run-id": "7", who: '"a" <b>' }));
    const [record] = session.end().calls;
    const tag = `<channel source="server" severity="high" who="&quot;a&quot; &lt;b&gt;">\nbuild failed\n</channel>`;
    expect(record).toMatchObject({
      method,
      tool: null,
      request_id: null,
      outcome: "ok",
      input_tokens: 0,
      output_tokens: Math.ceil(tag.length / 3),
      messages: 1,
      input_bytes: 0,
      arguments_sha256: null,
    });
    expect(record?.output_bytes).toBeGreaterThan(100);
  });

  test.each([[pushed(7)], [pushed("x", { n: 1 })], [{ jsonrpc: "2.0", method }]])(
    "costs nothing where its schema rejects it: %j",
    (message) => {
      const session = greeted({ budgets: ["1/session"] });
      expect(passes(session, message)).toBe(true);
      expect(session.end().calls).toMatchObject([{ method, total_tokens: 0 }]);
    },
  );

  test("is withheld where it exceeds a budget, without a word to the model", () => {
    const session = greeted({ budgets: ["1k/session"] });
    expect(passes(session, pushed("hi"))).toBe(true);
    for (let at = 0; at < 5; at += 1) expect(passes(session, pushed(long))).toBe(false);
    expect(passes(session, pushed("again"))).toBe(true);
    session.client(call(1, "t")).server(textResult(1, "ok")).end();
    expect(session.toClient.at(-1)).toContain('"ok"');
    expect(session.calls.map(({ outcome }): string => outcome)).toEqual([
      "ok",
      ...Array<string>(5).fill("refused"),
      "ok",
      "ok",
    ]);
    const breach = session.records.find(({ type }) => type === "breach");
    expect(breach).toMatchObject({ method, tool: null, is_enforced: true, did_run: true });
    const end = session.records.findLast(({ type }) => type === "end");
    const spent = session.calls
      .filter(({ outcome }) => outcome === "ok")
      .reduce((sum, { total_tokens: tokens }) => sum + tokens, 0);
    expect(end).toMatchObject({ budgets: [{ spent, breaches: 5 }] });
    expect(spent).toBeLessThan(1_000);
    expect(end).toMatchObject({ notifications: [{ method, from: "server", count: 7 }] });
  });

  test("uses up a counter that calls use too, and no limit of calls or of a tool", () => {
    const session = greeted({ budgets: ["5k/session", "2calls/session", "t=1k/session"] });
    for (let at = 0; at < 3; at += 1)
      expect(passes(session, pushed("word ".repeat(900)))).toBe(true);
    session.client(call(1, "t")).server(textResult(1, long)).end();
    expect(session.toClient.at(-1)).toContain("withheld");
  });

  test("passes with the action warn, and is a breach that was not enforced", () => {
    const session = greeted({ budgets: ["100/session:warn"] });
    expect(passes(session, pushed(long))).toBe(true);
    const breach = session.end().records.find(({ type }) => type === "breach");
    expect(breach).toMatchObject({ method, is_enforced: false });
  });

  test.each([
    [
      "the method twice",
      `{"jsonrpc":"2.0","method":"${method}","method":"${method}","params":{"content":"${long}"}}`,
    ],
    [
      "an escaped method",
      `{"jsonrpc":"2.0","method":"x","method":"notifications\\/claude\\/\\u0063hannel","params":{"content":"${long}"}}`,
    ],
    [
      "the content twice",
      `{"jsonrpc":"2.0","method":"${method}","params":{"content":"${long}","content":"x"}}`,
    ],
  ])("is withheld with %s", (_, line) => {
    const session = greeted({ budgets: ["1k/session"] });
    session.serverLine(line);
    expect(session.toClient).toHaveLength(1);
    expect(session.end().records.find(({ type }) => type === "breach")).toMatchObject({ method });
  });

  test("is charged by its length where it is too long to read", () => {
    const session = greeted({ budgets: ["1k/session"] });
    session.serverLine(JSON.stringify(pushed(long)), false);
    expect(session.toClient).toHaveLength(1);
    const unread = { outcome: "refused", truncated: true, output_tokens: 0 };
    expect(session.end().calls).toMatchObject([unread]);
  });

  test("is withheld from a batch, whose rest passes", () => {
    const session = greeted({ budgets: ["1k/session"] });
    const note = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info" } };
    session.serverLine(JSON.stringify([pushed(long), note]));
    expect(JSON.parse(session.toClient.at(-1) ?? "")).toEqual([note]);
  });
});

test("a text before the client has named itself does not decide how its session is counted", () => {
  const session = new Play({ readerFor: clientReader("unknown", "auto") })
    .server(pushed("early"))
    .client(request(0, "initialize", { clientInfo: { name: "claude-code", version: "2" } }))
    .client(call(1, "echo"))
    .server(textResult(1, "ok"))
    .end();
  expect(session.calls.map((one) => one.estimation_method)).toEqual(["bpe-scaled", "bpe-scaled"]);
});

test.each([
  ["codex-mcp-client", []],
  ["gemini-cli-mcp-client", []],
  ["my-agent", [method]],
])("of a client named %s the calls are %j", (client, methods) => {
  const session = greeted({ client });
  session.server(pushed(long)).end();
  expect(session.calls.map((one) => one.method)).toEqual(methods);
});

test("a client that names no client is charged the most expensive reading, its own text is none", () => {
  const session = greeted({ client: "my-agent", budgets: ["9k/session"] });
  session.server(pushed("word", { a: "b" }), { jsonrpc: "2.0", method: `${method}/permission` });
  session.client({ jsonrpc: "2.0", method, params: { content: long } }).end();
  const [record] = session.calls;
  expect(session.calls).toHaveLength(1);
  expect(record?.most_tokens).toBeGreaterThan(record?.total_tokens ?? Infinity);
});

test("Claude Code reads none of a modern server, which has no way to push", () => {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "2" },
  };
  const play = new Play()
    .client(request(0, "tools/list", { _meta: meta }))
    .server({ jsonrpc: "2.0", id: 0, result: { resultType: "complete", tools: [] } })
    .server(pushed(long))
    .end();
  expect(play.summary.total.calls).toBe(0);
});
