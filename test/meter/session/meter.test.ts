import { describe, expect, test } from "bun:test";
import { waitingRecordsMax } from "#meter/session/recorder.ts";
import { Meter } from "#meter/session/meter.ts";
import { meterOptions, Play } from "../../support/play.ts";
import { call, notification, request, textResult } from "../../support/rpc.ts";

const result = (id: number | string, value: object) => ({ jsonrpc: "2.0", id, result: value });
const failed = (id: number | string) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32601, message: "no" },
});
const tool = (name: string) => ({
  name,
  description: "Says something",
  inputSchema: { type: "object" },
});

const modernMeta = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "3" },
  },
};

function greeted(play: Play = new Play(), instructions?: string): Play {
  return play
    .client(
      request(0, "initialize", {
        protocolVersion: "2025-11-25",
        clientInfo: { name: "host", version: "1" },
      }),
    )
    .server(
      result(0, {
        protocolVersion: "2025-06-18",
        serverInfo: { name: "garden", version: "2" },
        ...(instructions === undefined ? {} : { instructions }),
      }),
    )
    .client(notification("notifications/initialized"));
}

const types = (play: Play) => play.records.map(({ type }) => type);

const serverOf = (play: Play) => play.end().records[0]?.server;

const lineOf = (message: object) => {
  const bytes = new TextEncoder().encode(JSON.stringify(message));
  return { bytes, size: bytes.length, skim: undefined };
};

const at = (ms: number) => ({ monoMs: ms, wallMs: ms });

const httpMeter = () => new Meter({ ...meterOptions(), transport: "http" });

describe("an exchange of HTTP", () => {
  const asked = { kind: "line", from: "client", hasPassed: true } as const;
  const answered = { ...asked, from: "server" } as const;

  test("pairs the ids of a stateless one inside it", () => {
    const one = httpMeter();
    const [first, second] = [1, 2].map((number) => ({ number, isStateless: true }));
    one.judge({ ...asked, at: at(0), line: lineOf(call(1, "slow")), exchange: first });
    one.judge({ ...asked, at: at(5), line: lineOf(call(1, "quick")), exchange: second });
    const line = lineOf(textResult(1, "Hi"));
    const records = [
      ...one.judge({ ...answered, at: at(7), line, exchange: second }).records,
      ...one.judge({ ...answered, at: at(40), line, exchange: first }).records,
    ];
    expect(records.filter(({ type }) => type === "call")).toMatchObject([
      { tool: "quick", outcome: "ok", duration_ms: 2 },
      { tool: "slow", outcome: "ok", duration_ms: 40 },
    ]);
    expect(records[0]).toMatchObject({ type: "session", transport: "http" });
  });

  test("that is over ends its requests, and a task poll or subscription as it would end anyway", () => {
    const one = httpMeter();
    for (const [number, message] of [call(1, "a"), request(2, "subscriptions/listen")].entries()) {
      const exchange = { number, isStateless: true };
      one.judge({ ...asked, at: at(0), line: lineOf(message), exchange });
    }
    const over = (exchange: number) =>
      one.judge({ kind: "exchange-end", at: at(9), exchange, outcome: "cancelled" }).records;
    const records = [...over(0), ...over(1), ...over(2)];
    expect(records.slice(1)).toMatchObject([
      { type: "call", outcome: "cancelled", duration_ms: 9 },
      { type: "protocol", method: "subscriptions/listen", outcome: "ok" },
    ]);
  });
});

describe("a legacy session", () => {
  test("is its session, its list, its calls and its end, in this order, seq without a gap", () => {
    const play = greeted()
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [tool("echo")] }))
      .client(call(2, "echo", { message: "Hi" }))
      .later(40)
      .server(textResult(2, "Hi"))
      .end();
    expect(types(play)).toEqual(["session", "protocol", "definitions", "protocol", "call", "end"]);
    expect(play.records.map(({ seq }) => seq)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(play.records[0]).toMatchObject({
      server: "garden",
      client_name: "host",
      client_version: "1",
      server_version: "2",
      protocol_version: "2025-06-18",
      era: "legacy",
      command: "server",
    });
    expect(play.calls).toMatchObject([{ tool: "echo", duration_ms: 40, outcome: "ok" }]);
    expect(play.ending).toMatchObject({
      calls: 1,
      total_tokens: play.calls[0]?.total_tokens ?? 0,
      exit_code: 0,
    });
  });

  test("counts the newest list when it changes", () => {
    const play = greeted()
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [tool("a")] }), notification("notifications/tools/list_changed"))
      .client(request(2, "tools/list"))
      .server(result(2, { tools: [tool("a"), tool("b")] }))
      .end();
    expect(play.summary.definitions).toMatchObject({ tools: 2 });
    expect(types(play).filter((type) => type === "definitions")).toHaveLength(2);
  });

  test("records a list of several pages once, when the last is there", () => {
    const play = greeted()
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [tool("a")], nextCursor: "2" }))
      .client(request(2, "tools/list", { cursor: "2" }))
      .server(result(2, { tools: [tool("b")] }))
      .end();
    const lists = play.records.filter((record) => record.type === "definitions");
    expect(lists).toMatchObject([{ tools_total: 2, is_complete: true }]);
  });

  test("records a list that was never finished at the end, as incomplete", () => {
    const play = greeted()
      .client(request(1, "tools/list"))
      .server(result(1, { tools: [tool("a")], nextCursor: "2" }))
      .end();
    expect(types(play).slice(-2)).toEqual(["definitions", "end"]);
    expect(play.records.at(-2)).toMatchObject({ is_complete: false, tools_total: 1 });
  });

  test("records instructions without any list", () => {
    const play = greeted(new Play(), "Water the roses").end();
    expect(play.records.at(-2)).toMatchObject({
      type: "definitions",
      tools: [],
      instructions_tokens: 5,
    });
  });
});

describe("a modern session", () => {
  test("discovers the server, and its instructions cost", () => {
    const play = new Play()
      .client(request(1, "server/discover", modernMeta))
      .server(result(1, { serverInfo: { name: "garden" }, instructions: "Water it" }))
      .client(request(2, "tools/list", modernMeta))
      .server(result(2, { tools: [tool("a")] }))
      .end();
    expect(play.records[0]).toMatchObject({ type: "session", server: "garden" });
    expect(play.summary.definitions).toMatchObject({
      instructions_tokens: 3,
      tools: 1,
      is_deferred: true,
    });
  });
});

describe("a session", () => {
  test("of a client that only tries the server leaves nothing; with a call it is an ordinary one", () => {
    const trying = (): Play =>
      new Play()
        .client(
          request(0, "initialize", {
            protocolVersion: "2025-06-18",
            capabilities: {},
            clientInfo: { name: "mcp-test-client", version: "1" },
          }),
        )
        .server(result(0, { serverInfo: { name: "garden" } }))
        .client(request(1, "ping"), request(2, "tools/list"))
        .server(result(1, {}), result(2, { tools: [] }));
    expect(trying().end().records).toEqual([]);
    const answered = trying()
      .client(call(3, "echo"))
      .server(result(3, { content: [] }))
      .end();
    expect(answered.records.map(({ type }) => type)).toEqual([
      "session",
      "protocol",
      "protocol",
      "definitions",
      "protocol",
      "call",
      "end",
    ]);
    const asked = trying().client(call(3, "echo")).end(null);
    expect(asked.calls).toMatchObject([{ outcome: "abandoned" }]);
  });

  test("takes the user's label, else the server's name, else the command's", () => {
    expect(serverOf(greeted(new Play({ serverLabel: "mine" })))).toBe("mine");
    expect(serverOf(greeted())).toBe("garden");
    expect(serverOf(new Play().client(call(1, "echo")).server(textResult(1, "x")))).toBe(
      "fallback",
    );
  });

  test("records a fault and goes on", () => {
    const play = greeted()
      .fault("counting", "TypeError")
      .client(call(1, "a"))
      .server(textResult(1, "x"))
      .end();
    expect(types(play)).toEqual(["session", "protocol", "fault", "call", "end"]);
  });

  test(`opens after ${waitingRecordsMax} failed probes, whoever they are`, () => {
    const play = new Play();
    for (let id = 0; id < waitingRecordsMax; id += 1) {
      play.client(request(id, "server/discover", modernMeta)).server(failed(id));
    }
    expect(play.records.length).toBe(waitingRecordsMax + 1);
  });

  test("flags a call whose line was too long to read, and prices it by its length", () => {
    const deep = "[".repeat(400) + "]".repeat(400);
    const play = greeted()
      .client(call(1, "echo"))
      .raw("server", `{"jsonrpc":"2.0","id":1,"result":{"content":${deep}}}\n`)
      .end();
    expect(play.calls).toMatchObject([{ truncated: true, confidence: "low", output_tokens: 212 }]);
  });
});

describe("Meter", () => {
  test("does not count while it listens: a long text is left for later", () => {
    const text = "x".repeat(1_000_000);
    const play = greeted().client(call(1, "echo")).server(textResult(1, text));
    expect(play.meter.backlog).toBeGreaterThanOrEqual(0);
    expect(play.work().calls).toMatchObject([
      { output_tokens: Math.ceil(1_000_000 / 3), truncated: false },
    ]);
    expect(play.meter.backlog).toBe(0);
  });

  test("nothing is recorded after the end", () => {
    const play = greeted().client(call(1, "echo")).end();
    const { length } = play.records;
    play
      .server(textResult(1, "after all"))
      .client(call(2, "echo"))
      .server(textResult(2, "x"))
      .work();
    expect(play.records.slice(length)).toEqual([]);
    expect(play.records.at(-1)?.type).toBe("end");
  });
});
