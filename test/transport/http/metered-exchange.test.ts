import { describe, expect, test } from "bun:test";
import { parseRequest } from "#transport/http/request-body.ts";
import { Conversations } from "#transport/http/http-conversation.ts";
import { MeteredExchange } from "#transport/http/metered-exchange.ts";
import { bytesOf, textOf } from "../../support/bytes.ts";
import { noEffects } from "#meter/session/decider.ts";
import { openMeter } from "../../support/http-proxy.ts";
import { call, initialize, request, textResult } from "../../support/rpc.ts";
import { eventually } from "../../support/wait.ts";

const session = { "mcp-session-id": "s" };
const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
const modern = request(1, "tools/call", {
  _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" },
});

function world(isLimited = false) {
  const log: string[] = [];
  const clock = { monoMs: 0 };
  const failures: string[] = [];
  let number = 0;
  const conversations = new Conversations(async () => ({
    close: async () => void log.push("closed"),
    meter: {
      endExchange: (exchange, outcome) => void log.push(`${exchange} ${outcome}`),
      whenCaughtUp: () => undefined,
      whenDecided: () => undefined,
      ...openMeter,
      decide: ({ from, line, hasPassed }) => {
        if (hasPassed === true) log.push(`${from} ${textOf(line.bytes)}`);
        return noEffects;
      },
      holds: (from) => isLimited && from === "server",
    },
  }));
  const exchange = (method: string, headers: Record<string, string>, message?: object) => {
    number += 1;
    const bytes = message && bytesOf(JSON.stringify(message));
    const line = bytes && { bytes, size: bytes.length, skim: undefined };
    return new MeteredExchange(parseRequest({ method, headers: new Headers(headers) }, line), {
      conversations,
      number,
      now: () => ({ ...clock, wallMs: 0 }),
      reportFailure: (what) => void failures.push(what),
      reportOldTransport: () => undefined,
    });
  };
  return { log, clock, failures, conversations, exchange };
}

type Answer = { readonly status?: number; readonly headers?: Record<string, string> };

async function answer(metered: MeteredExchange, { status = 200, headers = {} }: Answer, body = "") {
  await metered.onAnswer({ status, headers: new Headers(headers) });
  if (body === "") return;
  void metered.hooks.onChunk(bytesOf(body));
  await new Promise((resolve) => void setImmediate(resolve));
}

async function playAnswer(metered: MeteredExchange, log: readonly string[]) {
  const before = log.length;
  metered.hooks.onEnd(true);
  await eventually("the end", () => log.length > before);
}

describe("MeteredExchange", () => {
  test("hands on the request at once, and a JSON answer when it is whole", async () => {
    const { log, exchange } = world();
    const metered = exchange("POST", session, call(1, "x"));
    await metered.begin();
    expect(log).toHaveLength(1);
    const text = JSON.stringify(textResult(1, "Hi"));
    await answer(metered, { headers: json }, text);
    expect(log).toHaveLength(1);
    await playAnswer(metered, log);
    expect(log.slice(1, 2)).toEqual([`server ${text}`]);
  });

  test("initialize belongs to the session of its answer", async () => {
    const { log, exchange, conversations } = world();
    const metered = exchange("POST", {}, initialize());
    await metered.begin();
    expect([log.length, conversations.size]).toEqual([0, 0]);
    await answer(metered, { headers: { ...json, ...session } }, "{}");
    expect(log).toHaveLength(1);
    conversations.end({ session: "s" });
    expect(conversations.size).toBe(0);
  });

  test.each(["whole", "without a body"])(
    "a session that is ended right after a call ends when the call is metered: an answer %s",
    async (form) => {
      const { log, exchange } = world();
      const called = exchange("POST", session, call(1, "x"));
      await called.begin();
      await called.onAnswer({ status: 200, headers: new Headers(json) });
      void called.hooks.onChunk(bytesOf(JSON.stringify(textResult(1, "a"))));
      called.hooks.onEnd(true);
      const ended = exchange("DELETE", session);
      await ended.begin();
      await ended.onAnswer({ status: 200, headers: new Headers() });
      if (form === "whole") void ended.hooks.onChunk(new Uint8Array());
      ended.hooks.onEnd(true);
      await eventually("the end", () => log.includes("closed"));
      expect(log.map((entry) => entry.split(" ")[0])).toEqual(["client", "server", "1", "closed"]);
    },
  );

  test("a stream of events is handed on event by event, comments are none", async () => {
    const { log, exchange } = world();
    const metered = exchange("GET", session);
    await metered.begin();
    await answer(
      metered,
      { headers: events },
      ": hi\n\ndata: the first one\n\ndata: the second one\n\n",
    );
    expect(log).toEqual(["server the first one", "server the second one"]);
  });

  test("a resumed stream counts nothing twice", async () => {
    const { log, exchange } = world();
    await answer(exchange("GET", session), { headers: events }, "id: a\ndata: the first one\n\n");
    const again = exchange("GET", { ...session, "last-event-id": "0" });
    await answer(
      again,
      { headers: events },
      "id: a\ndata: the first one\n\nid: b\ndata: the second one\n\n",
    );
    expect(log).toEqual(["server the first one", "server the second one"]);
  });

  test.each([
    ["a modern client that leaves", modern, {}, events, "left", "cancelled"],
    [
      "a legacy client that leaves a stream without ids",
      call(1, "x"),
      session,
      events,
      "left",
      "abandoned",
    ],
    ["a stateless stream that ends", modern, {}, events, "ended", "abandoned"],
    ["a JSON answer that breaks off", call(1, "x"), session, json, "broken", "abandoned"],
  ] as const)("%s closes its requests", async (_name, message, headers, type, act, outcome) => {
    const { log, exchange } = world();
    const metered = exchange("POST", headers, message);
    await metered.begin();
    await answer(metered, { headers: type });
    if (act === "left") metered.hooks.onLeave();
    else metered.hooks.onEnd(act === "ended");
    await eventually("the end", () => log.includes(`1 ${outcome}`));
    metered.hooks.onLeave();
    expect(log).toHaveLength(2);
  });

  test("a legacy client may resume a stream with ids: its requests stay open", async () => {
    const { log, exchange } = world();
    const metered = exchange("POST", session, call(1, "x"));
    await metered.begin();
    await answer(metered, { headers: events }, "id: 1\ndata:\n\n");
    metered.hooks.onLeave();
    await Bun.sleep(5);
    expect(log).toHaveLength(1);
  });

  test.each([
    ["an error for no id", '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}', json],
    ["a text", "no", { "content-type": "text/plain" }],
  ])("a rejection with %s is an error whose message is its text", async (_name, text, headers) => {
    const { log, exchange } = world();
    const metered = exchange("POST", session, call(1, "x"));
    await metered.begin();
    await answer(metered, { status: 400, headers }, text);
    await playAnswer(metered, log);
    const error = { jsonrpc: "2.0", id: 1, error: { code: 400, message: text } };
    expect(log.slice(1)).toEqual([`server ${JSON.stringify(error)}\n`, "1 rpc_error"]);
  });

  test("a rejection with an error for the request is that, and the rejection of a notification is nothing", async () => {
    const { log, exchange } = world();
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}';
    const metered = exchange("POST", session, call(1, "x"));
    await metered.begin();
    await answer(metered, { status: 400, headers: json }, error);
    await playAnswer(metered, log);
    expect(log.slice(1)).toEqual([`server ${error}`, "1 rpc_error"]);
    const notification = exchange("POST", session, { jsonrpc: "2.0", method: "notifications/x" });
    await notification.begin();
    const before = log.length;
    await answer(notification, { status: 400, headers: json }, "{}");
    await playAnswer(notification, log);
    expect(log.slice(before)).toEqual(["2 rpc_error"]);
  });

  test("a failure of the metering is reported, and ends it", async () => {
    const { failures, exchange, conversations } = world();
    conversations.findOrOpen = () => {
      throw new RangeError("secret");
    };
    const metered = exchange("POST", session, call(1, "x"));
    await metered.begin();
    await answer(metered, { headers: json }, "{}");
    metered.hooks.onEnd(true);
    metered.hooks.onLeave();
    expect(failures).toEqual(["RangeError"]);
  });
});

test.each([
  ["DELETE", 200, false, true],
  ["DELETE", 202, true, true],
  ["DELETE", 404, true, true],
  // Such a server keeps its sessions.
  ["DELETE", 405, false, false],
  ["POST", 404, false, true],
  ["POST", 400, false, false],
  ["GET", 404, false, true],
  ["POST", 404, true, false],
  ["POST", 200, false, false],
])(
  "%s, answered with %d, limits enforced: %p, ends a session: %p",
  async (method, status, isLimited, ends) => {
    const { conversations, exchange } = world(isLimited);
    const metered = exchange(method, session, method === "POST" ? call(1, "x") : undefined);
    await exchange("POST", session, call(0, "x")).begin();
    await metered.begin();
    await metered.onAnswer({ status, headers: new Headers(json) });
    metered.hooks.onEnd(true);
    await eventually("the end", () => (conversations.size === 0) === ends);
    await Bun.sleep(1);
    expect(conversations.size === 0).toBe(ends);
  },
);
