import { describe, expect, test } from "bun:test";
import { parseEndpoint } from "#wire/endpoint/mcp-endpoint.ts";
import { refusalBytesMax, HttpAnswers, UnreachableServer } from "#check/mcp-client/http-answers.ts";
import { Traffic } from "#check/mcp-client/traffic.ts";
import { events, json, raw, type RawAnswers, RawEndpoint } from "../../support/raw-endpoint.ts";

const ask = (id: number | undefined = 1) => ({
  method: "POST",
  body: JSON.stringify({
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    method: "tools/list",
  }),
});

async function fetched(answers: RawAnswers, init: RequestInit = ask()) {
  using server = new RawEndpoint(answers);
  const reader = new HttpAnswers(parseEndpoint(server.url), new Traffic(() => undefined));
  const answer = await reader.fetch(server.url, init);
  const headers = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, text: await answer.text(), refusal: reader.refusal };
}

describe("HttpAnswers", () => {
  test("hands on a message, and of the headers those that the SDK reads", async () => {
    const list: RawAnswers = {
      "tools/list": (response, request) => {
        response.setHeader("mcp-session-id", "s");
        response.setHeader("set-cookie", "a=1");
        response.setHeader("x-other", "1");
        json({ result: {} })(response, request);
      },
    };
    expect(await fetched(list)).toEqual({
      status: 200,
      headers: { "content-type": "application/json", "mcp-session-id": "s" },
      text: '{"jsonrpc":"2.0","id":1,"result":{}}',
      refusal: undefined,
    });
  });

  test.each([
    ['{"jsonrpc":"2.0","id":1,"result":"a"}', "not_response"],
    ['{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}', "not_json"],
  ] as const)(
    "replaces an answer in a batch that clients would ignore: %s",
    async (item, cause) => {
      using server = new RawEndpoint({ "tools/list": raw(`[${item}]`) });
      const traffic = new Traffic(() => undefined);
      const reader = new HttpAnswers(parseEndpoint(server.url), traffic);
      const answer: unknown = await (await reader.fetch(server.url, ask())).json();
      expect(answer).toMatchObject({ id: 1, error: { code: -31_901 } });
      expect(traffic.unreadableAnswer).toMatchObject({ requestId: 1, cause });
    },
  );

  test("drops the body of an answer to a notification", async () => {
    const { status, text } = await fetched(
      { "tools/list": raw("noise", "text/plain", 202) },
      {
        method: "POST",
        body: '{"jsonrpc":"2.0","method":"tools/list"}',
      },
    );
    expect([status, text]).toEqual([202, ""]);
  });

  test.each([
    ["an event stream is opened", events(["id: a\ndata:\n\n"]), 200, "id: a\ndata:\n\n"],
    ["any other type is no stream", raw("<html>", "text/html"), 405, ""],
  ] as const)("of the server's own messages, %s", async (_, answer, status, text) => {
    expect(await fetched({ GET: answer }, { method: "GET" })).toMatchObject({ status, text });
  });

  test.each([
    [400, true],
    [404, true],
    [422, true],
    [401, false],
    [403, false],
    [500, false],
    [503, false],
  ])(
    "an error with the id of the request and status %d is an answer: %p",
    async (code, isAnswer) => {
      const error = { error: { code: -32_601, message: "no" } };
      const { status, text, refusal } = await fetched({ "tools/list": json(error, code) });
      expect(status).toBe(isAnswer ? 200 : code);
      expect(text).toBe(JSON.stringify({ jsonrpc: "2.0", id: 1, ...error }));
      expect(refusal === undefined).toBe(isAnswer);
    },
  );

  test.each([
    "null",
    '{"id":1}',
    '{"id":2,"error":{}}',
    '{"id":1,"method":"a","error":{}}',
    "junk",
  ])("the body %s of a status is no answer", async (body) => {
    const { status, refusal } = await fetched({ "tools/list": raw(body, "text/plain", 400) });
    expect([status, refusal?.status]).toEqual([400, 400]);
  });

  test.each([
    [refusalBytesMax, true],
    [refusalBytesMax + 1, false],
  ])("an error of %d bytes is read: %p", async (bytes, isRead) => {
    const error = '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}';
    const { status } = await fetched({ "tools/list": raw(error.padEnd(bytes), "text/plain", 400) });
    expect(status).toBe(isRead ? 200 : 400);
  });

  test("knows the refusal: method, status, OAuth, and the address of a redirect without its query", async () => {
    const { refusal } = await fetched({
      "tools/list": (response) => {
        response.writeHead(307, {
          location: "/there?key=1#x",
          "www-authenticate": 'Bearer Resource_Metadata = "https://x"',
        });
        response.end();
      },
    });
    expect(refusal).toMatchObject({ method: "tools/list", status: 307, requiresOauth: true });
    expect(refusal?.location).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/there$/);
    const odd = await fetched({
      "tools/list": (response) => void response.writeHead(302, { location: "http://" }).end(),
    });
    expect(odd.refusal?.location).toBeUndefined();
  });

  test("a request that was given up is not a server that cannot be reached", async () => {
    using server = new RawEndpoint({ "tools/list": () => undefined });
    const { url } = server;
    const { fetch } = new HttpAnswers(parseEndpoint(url), new Traffic(() => undefined));
    const catchError = (init: RequestInit) => fetch(url, init).catch((caught: unknown) => caught);
    expect(await catchError({ ...ask(), signal: AbortSignal.timeout(50) })).not.toBeInstanceOf(
      UnreachableServer,
    );
    server[Symbol.dispose]();
    expect(await catchError(ask())).toMatchObject({ message: "ECONNREFUSED" });
    expect(await catchError(ask())).toBeInstanceOf(UnreachableServer);
  });
});
