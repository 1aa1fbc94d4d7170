import { describe, expect, test } from "bun:test";
import { Play } from "../../support/play.ts";
import { call, notification, request, textResult } from "../../support/rpc.ts";

const result = (id: number | string, value: object) => ({ jsonrpc: "2.0", id, result: value });
const failed = (id: number | string) => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_601, message: "" },
});
const text = (of: string) => ({ type: "text", text: of });
const tokens = (of: string): number => Math.ceil(of.length / 3);

const meta = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "host", version: "2" },
  },
};

const handshake = request(0, "initialize", {
  protocolVersion: "2025-11-25",
  clientInfo: { name: "host", version: "1" },
});

function legacy(): Play {
  return new Play().client(handshake).server(result(0, { serverInfo: { name: "garden" } }));
}

const rows = (play: Play) => play.summary.tools.map(({ tool, calls }) => [tool, calls]);

const done = (id: number) =>
  result(id, { resultType: "complete", content: [text("Two seats on Monday")] });

describe("a multi-round trip", () => {
  const asked = { name: "plan", arguments: { to: "Rome" } };
  const ask = (id: number, more: object = {}) =>
    request(id, "tools/call", { ...asked, ...more, ...meta });
  const elicitation = { method: "elicitation/create", params: { message: "Which day?" } };
  const more = (id: number, requestState?: string) =>
    result(id, {
      resultType: "input_required",
      inputRequests: { day: elicitation },
      ...(requestState === undefined ? {} : { requestState }),
    });
  const inputResponses = { day: { action: "accept", content: { day: "Monday" } } };
  const input = tokens("plan") + tokens(JSON.stringify(asked.arguments));

  test("of two rounds is one call with its tokens once, and every message is counted", () => {
    const play = new Play()
      .client(ask(1))
      .later(10)
      .server(more(1, "one"))
      .client(ask(2, { requestState: "one", inputResponses }))
      .later(10)
      .server(more(2, "two"))
      .client(ask(3, { requestState: "two", inputResponses }))
      .later(10)
      .server(done(3))
      .end();
    expect(play.calls).toMatchObject([
      {
        tool: "plan",
        request_id: 1,
        outcome: "ok",
        messages: 6,
        input_tokens: input,
        output_tokens: tokens("Two seats on Monday"),
        duration_ms: 30,
      },
    ]);
    expect(play.ending).toMatchObject({ calls: 1, unknown_answers: 0 });
    expect(rows(play)).toEqual([["plan", 1]]);
  });

  test("without a state is known by its tool and arguments", () => {
    const play = new Play()
      .client(ask(1))
      .server(more(1))
      .client(ask(2, { inputResponses }))
      .server(more(2))
      .client(ask(3, { inputResponses }))
      .server(done(3))
      .end();
    expect(play.calls).toMatchObject([{ messages: 6, outcome: "ok", input_tokens: input }]);
  });

  test("all bytes of all rounds are the call's", () => {
    const messages = [ask(1), more(1, "s"), ask(2, { requestState: "s", inputResponses }), done(2)];
    const [first, second, third, fourth] = messages.map((one) => JSON.stringify(one).length + 1);
    const play = new Play()
      .client(messages[0] ?? {})
      .server(messages[1] ?? {})
      .client(messages[2] ?? {})
      .server(messages[3] ?? {})
      .end();
    expect(play.calls).toMatchObject([
      {
        input_bytes: (first ?? 0) + (third ?? 0),
        output_bytes: (second ?? 0) + (fourth ?? 0),
      },
    ]);
  });
});

const state = (status: string, more: object = {}) => ({ taskId: "t", status, ...more });
const poll = (id: number, method = "tasks/get") => request(id, method, { taskId: "t" });

function polled(play: Play, times: number): Play {
  for (let id = 10; id < 10 + times; id += 1) {
    play
      .later(5)
      .client(poll(id))
      .server(result(id, state("working")));
  }
  return play;
}

describe("a task", () => {
  const answer = { content: [text("All grown")] };
  const grow = { tool: "grow", input_tokens: tokens("grow") + tokens("{}") };

  test("of 2025-11-25, polled five times, is one call whose result came by tasks/result", () => {
    const play = legacy()
      .client(call(1, "grow"))
      .server(result(1, { task: state("working") }));
    polled(play, 5)
      .client(poll(20))
      .server(result(20, state("completed")))
      .client(poll(21, "tasks/result"))
      .server(result(21, answer))
      .end();
    expect(play.calls).toMatchObject([
      { ...grow, request_id: 1, outcome: "ok", messages: 4, output_tokens: 3, duration_ms: 25 },
    ]);
    expect(play.protocol.filter(({ method }) => method.startsWith("tasks/"))).toHaveLength(6);
    expect(rows(play)).toEqual([["grow", 1]]);
  });

  test("of 2026, polled five times, is one call whose result came in the state", () => {
    const play = new Play()
      .client(request(1, "tools/call", { name: "grow", arguments: {}, ...meta }))
      .server(result(1, { resultType: "task", ...state("working") }));
    polled(play, 5)
      .client(poll(20))
      .server(result(20, { resultType: "complete", ...state("completed", { result: answer }) }))
      .end();
    expect(play.calls).toMatchObject([
      { ...grow, request_id: 1, outcome: "ok", output_tokens: 3, duration_ms: 25 },
    ]);
    expect(play.ending.total_tokens).toBe(play.calls[0]?.total_tokens ?? 0);
  });

  test("of 2026 may end by a notification; a poll that brings the result again is a call of its own", () => {
    const play = new Play()
      .client(request(1, "tools/call", { name: "grow", arguments: {}, ...meta }))
      .server(result(1, { resultType: "task", ...state("working") }))
      .server(notification("notifications/tasks", state("completed", { result: answer })))
      .client(poll(2))
      .server(result(2, state("completed", { result: answer })))
      .end();
    expect(play.calls).toMatchObject([
      { ...grow, outcome: "ok", output_tokens: 3 },
      { tool: "grow", request_id: 2, outcome: "ok", input_tokens: 0, output_tokens: 3 },
    ]);
  });

  test("that is cancelled is charged nothing", () => {
    const play = legacy()
      .client(call(1, "grow"))
      .server(result(1, { task: state("working") }));
    polled(play, 2)
      .client(poll(20, "tasks/cancel"))
      .server(result(20, state("cancelled")))
      .end();
    expect(play.calls).toMatchObject([{ outcome: "cancelled", total_tokens: 0 }]);
    expect(play.ending.total_tokens).toBe(0);
  });

  test("that failed has failed, whether or not anybody asks why", () => {
    const failing = () =>
      legacy()
        .client(call(1, "grow"))
        .server(result(1, { task: state("working") }))
        .client(poll(2))
        .server(result(2, state("failed")));
    expect(failing().end().calls).toMatchObject([{ outcome: "rpc_error", output_tokens: 0 }]);
    const told = failing().client(poll(3, "tasks/result"));
    told.server(result(3, { content: [text("Too dry")], isError: true })).end();
    expect(told.calls).toMatchObject([{ outcome: "tool_error", output_tokens: 3 }]);
  });
});

describe("a cancelled call", () => {
  test("is recorded as cancelled, charged nothing, and its late answer is told", () => {
    const play = legacy()
      .client(call(1, "echo", { q: "roses" }))
      .client(notification("notifications/cancelled", { requestId: 1 }))
      .server(textResult(1, "too late, and long ".repeat(50)))
      .client(call(2, "echo"))
      .server(textResult(2, "in time"))
      .end();
    expect(play.calls).toMatchObject([
      { request_id: 1, outcome: "cancelled", input_tokens: 0, output_tokens: 0, total_tokens: 0 },
      { request_id: 2, outcome: "ok" },
    ]);
    expect(play.ending).toMatchObject({ late_answers: 1, unknown_answers: 0 });
    expect(play.summary.total).toMatchObject({ calls: 2, cancelled: 1 });
    expect(play.summary.total.total_tokens).toBe(play.calls[1]?.total_tokens ?? 0);
  });
});

describe("sampling", () => {
  const messages = [{ role: "user", content: text("Name a rose") }];
  const answered = { role: "assistant", content: text("Gallica"), model: "m" };
  const row = { tool: "(sampling/createMessage)", calls: 1, input_tokens: 4, output_tokens: 3 };

  test("asked by the server of the legacy era has its own row", () => {
    const play = legacy()
      .client(call(1, "name"))
      .server(request(1, "sampling/createMessage", { messages }))
      .client(result(1, answered))
      .server(textResult(1, "It is Gallica"))
      .end();
    expect(rows(play)).toHaveLength(2);
    expect(play.summary.tools).toContainEqual(expect.objectContaining(row));
    expect(play.calls.map(({ tool }) => tool)).toEqual([null, "name"]);
  });

  test("asked within a call of the 2026 era has its own row", () => {
    const inputRequests = { rose: { method: "sampling/createMessage", params: { messages } } };
    const play = new Play()
      .client(request(1, "tools/call", { name: "name", arguments: {}, ...meta }))
      .server(result(1, { resultType: "input_required", requestState: "s", inputRequests }))
      .client(
        request(2, "tools/call", {
          name: "name",
          arguments: {},
          requestState: "s",
          inputResponses: { rose: answered },
          ...meta,
        }),
      )
      .server(result(2, { content: [text("It is Gallica")] }))
      .end();
    expect(play.summary.tools).toContainEqual(expect.objectContaining(row));
    expect(play.summary.tools).toContainEqual(
      expect.objectContaining({ tool: "name", calls: 1, output_tokens: 5 }),
    );
  });
});

describe("who talks", () => {
  const probe = request("p", "server/discover", meta);

  test("a failed probe and a handshake are a legacy session without an error", () => {
    const play = new Play()
      .client(probe)
      .server(failed("p"))
      .client(handshake)
      .server(result(0, { serverInfo: { name: "garden" }, protocolVersion: "2025-11-25" }))
      .client(call(1, "echo"))
      .server(textResult(1, "Hi"))
      .end();
    expect(play.records[0]).toMatchObject({
      type: "session",
      era: "legacy",
      server: "garden",
      client_name: "host",
      client_version: "1",
      protocol_version: "2025-11-25",
    });
    expect(play.summary.total).toMatchObject({ calls: 1, errors: 0 });
    expect(play.calls.filter(({ outcome }) => outcome === "rpc_error")).toEqual([]);
  });

  test.each([
    ["tools/list", {}, { tools: [] }],
    ["tools/call", { name: "echo", arguments: {} }, { content: [] }],
    ["resources/read", { uri: "file:///a" }, { contents: [] }],
    ["prompts/get", { name: "hello" }, { messages: [] }],
    ["completion/complete", {}, { completion: { values: [] } }],
  ])("names are learnt from the _meta of %s, with no handshake", (method, params, value) => {
    const serverInfo = { name: "garden", version: "3" };
    const play = new Play()
      .client(request(1, method, { ...params, ...meta }))
      .server(
        result(1, {
          resultType: "complete",
          ...value,
          _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
        }),
      )
      .end();
    expect(play.records[0]).toMatchObject({
      type: "session",
      era: "modern",
      server: "garden",
      server_version: "3",
      client_name: "host",
      client_version: "2",
      protocol_version: "2026-07-28",
    });
  });

  test("names in _meta are not charged", () => {
    const play = new Play()
      .client(request(1, "tools/call", { name: "echo", arguments: {}, ...meta }))
      .server(result(1, { content: [text("Hi")], _meta: { "vendor/long": "x".repeat(999) } }))
      .end();
    expect(play.calls).toMatchObject([{ total_tokens: 2 + 1 + 1, wire_tokens: 1 }]);
  });
});
