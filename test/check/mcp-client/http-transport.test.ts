import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { parseEndpoint, type HeaderPair } from "#wire/endpoint/mcp-endpoint.ts";
import { UserError } from "#kit/errors.ts";
import { McpConnection } from "#check/mcp-client/connection.ts";
import {
  endless,
  events,
  json,
  raw,
  type RawAnswer,
  type RawAnswers,
  RawEndpoint,
  rawTool,
} from "../../support/raw-endpoint.ts";
import { eventually } from "../../support/wait.ts";
import { realIo } from "./host.ts";

setDefaultTimeout(60_000);

const timeoutMs = 20_000;

function openConnection(url: string, headers: readonly HeaderPair[] = []): McpConnection {
  const target = { endpoint: parseEndpoint(url, headers) };
  return new McpConnection(target, realIo, { makeLineHandler: () => () => undefined });
}

async function visited(answers: RawAnswers, calls: number = 1) {
  using server = new RawEndpoint(answers);
  const connection = openConnection(server.url);
  try {
    const identity = await connection.connect(timeoutMs);
    const { tools } = await connection.readLists(timeoutMs);
    const made = [];
    for (let at = 0; at < calls; at += 1) {
      made.push(await connection.call({ tool: "t", arguments: {}, timeoutMs }));
    }
    return { identity, tools, calls: made, server, foreign: connection.traffic };
  } finally {
    await connection.close();
  }
}

async function readSentence(answers: RawAnswers): Promise<string> {
  const error: unknown = await visited(answers).catch((caught: unknown) => caught);
  if (!(error instanceof UserError)) throw new Error(`no sentence: ${String(error)}`);
  expect(error.exitCode).toBe(3);
  return error.message.replace(/127\.0\.0\.1:\d+/, "host");
}

const ok = { content: [{ type: "text", text: "ok" }] };
const listed = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools: [rawTool] } });
const listedEvent = `data: ${listed.replace('"id":1', '"id":%')}\n\n`;

describe("a server of 2025", () => {
  test("has its session on each request, and is told the end of it", async () => {
    const { identity, tools, calls, server } = await visited({});
    expect(identity).toMatchObject({ name: "raw", era: "legacy", protocolVersion: "2025-11-25" });
    expect(tools).toEqual([rawTool]);
    expect(calls).toMatchObject([{ isError: false, isAnswered: true, result: ok }]);
    expect(calls[0]?.line).toContain('"text":"ok"');
    expect(server.methods).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "GET",
      "tools/list",
      "tools/call",
      "DELETE",
    ]);
    const later = server.seen
      .slice(3)
      .map(({ headers }) => [headers["mcp-session-id"], headers["mcp-protocol-version"]]);
    expect(later).toEqual(later.map(() => ["session-1", "2025-11-25"]));
  });

  test("without a session is told no end", async () => {
    const { server } = await visited({ initialize: json({ result: initialized }) });
    expect(server.methods).not.toContain("DELETE");
  });

  test.each<[string, RawAnswer]>([
    ["breaks on it", raw("oops", "text/plain", 500)],
    ["accepts it as if it were a notification", (response) => void response.writeHead(202).end()],
    ["answers nobody", raw('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}')],
    ["answers with a page", raw("<html>", "text/html")],
    ["ends its stream", events([": bye\n\n"])],
    ["refuses it without JSON-RPC", raw("no", "text/plain", 405)],
  ])(
    "that has never heard of the newer era is initialized all the same: it %s",
    async (_, answer) => {
      const { identity, server } = await visited({ "server/discover": answer });
      expect(identity.era).toBe("legacy");
      expect(server.methods.slice(0, 2)).toEqual(["server/discover", "initialize"]);
    },
  );

  test("that does not take the end of a session delays nobody for long", async () => {
    const { tools } = await visited({ DELETE: () => undefined });
    expect(tools).toHaveLength(1);
  });
});

const initialized = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "raw", version: "1" },
};

const discovered = {
  supportedVersions: ["2026-07-28"],
  serverInfo: { name: "raw", version: "1" },
  capabilities: { tools: {} },
  resultType: "complete",
  ttlMs: 0,
  cacheScope: "public",
};
const complete = { resultType: "complete", ttlMs: 0, cacheScope: "public" };
const modern: RawAnswers = {
  "server/discover": json({ result: { ...discovered, _meta: {} } }),
  "tools/list": json({ result: { ...complete, tools: [rawTool] } }),
  "tools/call": json({ result: { ...ok, resultType: "complete" } }),
};

describe("a server of 2026", () => {
  test("has no session, and the headers that repeat a request", async () => {
    using server = new RawEndpoint(modern);
    const connection = openConnection(server.url);
    expect(await connection.connect(timeoutMs)).toMatchObject({ era: "modern" });
    const properties = { city: { type: "string", "x-mcp-header": "City" } };
    const inputSchema = { type: "object", properties };
    await connection.call({ tool: "t", arguments: { city: "Zürich" }, timeoutMs, inputSchema });
    await connection.close();
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
    expect(server.last("tools/call").headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "t",
      "mcp-param-city": `=?base64?${Buffer.from("Zürich").toString("base64")}?=`,
    });
  });

  test("says with 404 that it has no tools, as the protocol wants it", async () => {
    const none = json({ error: { code: -32_601, message: "Method not found" } }, 404);
    const { tools, calls } = await visited({ ...modern, "tools/list": none, "tools/call": none });
    expect([tools, calls[0]?.errorCode]).toEqual([[], -32_601]);
  });
});

describe("an answer is read from", () => {
  test.each<[string, RawAnswer]>([
    ["a stream of events", events([listedEvent])],
    ["a stream that stays open", events([listedEvent], "open")],
    ["events that are cut anywhere", events([...listedEvent])],
    [
      "a stream with messages of the server before it",
      events([
        'data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\n',
        'data: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\n: alive\n\n',
        listedEvent,
      ]),
    ],
    [
      "JSON after a byte order mark",
      (response, request) =>
        raw(`\uFEFF${listed.replace('"id":1', `"id":${Number(request.message?.["id"])}`)}`)(
          response,
          request,
        ),
    ],
    [
      "a batch",
      (response, request) =>
        raw(`[${listed.replace('"id":1', `"id":${Number(request.message?.["id"])}`)}]`)(
          response,
          request,
        ),
    ],
    [
      "JSON that is compressed",
      (response, request) => {
        const body = listed.replace('"id":1', `"id":${Number(request.message?.["id"])}`);
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
        response.end(gzipSync(body));
      },
    ],
  ])("%s", async (_, answer) => {
    const { tools } = await visited({ "tools/list": answer });
    expect(tools).toEqual([rawTool]);
  });

  test("a stream whose requests are answered: a ping, and one that is refused", async () => {
    const asking = ["ping", "sampling/createMessage"].map(
      (method, at) => `data: {"jsonrpc":"2.0","id":${at + 70},"method":"${method}"}\n\n`,
    );
    const { server } = await visited({ "tools/list": events([...asking, listedEvent]) });
    const answers = () =>
      server.seen.flatMap(({ message }) =>
        message && message["method"] === undefined ? [message] : [],
      );
    await eventually("both answers", () => answers().length === 2);
    expect(answers().toSorted((a, b) => Number(a["id"]) - Number(b["id"]))).toMatchObject([
      { id: 70, result: {} },
      { id: 71, error: { code: -32_601 } },
    ]);
  });

  test("the rest of a stream that was cut off, by the id of its last event", async () => {
    const { tools, server } = await visited({
      "tools/list": events(["id: e1\nretry: 1\ndata:\n\n"]),
      GET: (response, request) => {
        const isLate = request.headers["last-event-id"] === "e1";
        if (isLate) raw(listedEvent.replace("%", "1"), "text/event-stream")(response, request);
        else response.writeHead(405).end();
      },
    });
    expect(tools).toEqual([rawTool]);
    expect(server.last("GET").headers["last-event-id"]).toBe("e1");
  });
});

const wrapped = (body: string) => (response: Parameters<RawAnswer>[0]) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write(body);
  setTimeout(() => response.destroy(), 50);
};

const bomb: RawAnswer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
  const block = gzipSync(Buffer.alloc(16 * 1024 * 1024, " "));
  for (let at = 0; at < 64; at += 1) response.write(block);
  response.end();
};

const tooLong = 'The server "raw" failed: its answer to tools/list is larger than 64 MiB';
const toList: readonly (readonly [string, RawAnswer, string])[] = [
  ["a body without an end", endless('"', "application/json"), tooLong],
  ["an event without an end", endless("data: ", "text/event-stream"), tooLong],
  ["a stream of comments without an end", endless(":", "text/event-stream"), tooLong],
  ["a gigabyte in a compressed megabyte", bomb, tooLong],
  [
    "an answer of nine megabytes",
    (response, request) =>
      json({ result: { tools: [], x: "x".repeat(9 * 1024 * 1024) } })(response, request),
    'The server "raw" failed: its answer to tools/list has 9,437,237 bytes, more than the 8 MiB that mcp-meter reads',
  ],
  [
    "a stream that ends without an answer",
    events([": bye\n\n"]),
    'The server "raw" failed: its answer to tools/list ended without a result',
  ],
  [
    "a stream that breaks off",
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: {");
      setTimeout(() => response.destroy(), 50);
    },
    'The server "raw" failed: its answer to tools/list ended without a result',
  ],
  [
    "a body that breaks off",
    wrapped('{"jsonrpc"'),
    'The server "raw" failed: its answer to tools/list was cut off',
  ],
  [
    "a body that is not compressed as it says",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end("plain");
    },
    'The server "raw" failed: its answer to tools/list was cut off',
  ],
  [
    "a page of HTML",
    raw("<html>", "text/html; charset=utf-8"),
    'The server "raw" failed: its answer to tools/list is text/html, neither JSON nor an event stream',
  ],
  [
    "a type with an escape",
    (response) => void response.writeHead(200, { "content-type": "a;\u00e9" }).end("x"),
    'The server "raw" failed: its answer to tools/list is of an unknown type, neither JSON nor an event stream',
  ],
  [
    "a status without a body",
    (response) => void response.writeHead(202).end(),
    'The server "raw" failed: its answer to tools/list has no content type',
  ],
  [
    "JSON that is announced, but not sent",
    (response) => void response.writeHead(204, { "content-type": "application/json" }).end(),
    'The server "raw" failed: its answer to tools/list has no body',
  ],
  [
    "JSON of something else",
    raw("[1,"),
    'The server "raw" failed: its answer to tools/list is not JSON-RPC',
  ],
  ["an empty body", raw(""), 'The server "raw" failed: its answer to tools/list is not JSON-RPC'],
  [
    "the answer to another request",
    raw(listed.replace('"id":1', '"id":99')),
    `The server "raw" failed: its answer to tools/list does not have the request's id`,
  ],
  [
    "a result that clients ignore",
    (response, request) => json({ result: { _meta: 7, tools: [] } })(response, request),
    'The server "raw" failed: its answer to tools/list has a _meta that is not an object, so clients ignore it',
  ],
  [
    "an error of JSON-RPC",
    json({ error: { code: -32_603, message: "no\u001b[2J" } }),
    'The server "raw" refused tools/list: no\\u001b[2J (-32603)',
  ],
  [
    "an error of JSON-RPC with a status",
    json({ error: { code: -32_602, message: "no" } }, 400),
    'The server "raw" refused tools/list: no (-32602)',
  ],
  [
    "a session that is gone",
    raw(
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}',
      "application/json",
      404,
    ),
    'The server "raw" failed: it answered tools/list with status 404',
  ],
  [
    "a status with a body without an end",
    (response, request) => {
      response.writeHead = response.writeHead.bind(response, 500) as never;
      endless("oops", "text/plain")(response, request);
    },
    'The server "raw" failed: it answered tools/list with status 500',
  ],
  [
    "a redirect to another host",
    (response) =>
      void response.writeHead(307, { location: "https://user:word@other.invalid/a?key=1" }).end(),
    'The server "raw" failed: it redirects to https://other.invalid/a, which is not followed',
  ],
];

describe("one sentence says why", () => {
  test.each(toList)("row 140: %s", async (_, answer, sentence) => {
    expect(await readSentence({ "tools/list": answer })).toBe(sentence);
  });

  test("a flood of events that are not JSON-RPC", async () => {
    const flood = events(["data: hello\n\n".repeat(10_001)], "open");
    expect(await readSentence({ "tools/list": flood })).toContain(
      "it sent more than 10000 events that are not JSON-RPC",
    );
  });

  test.each<[string, RawAnswers, string]>([
    [
      "no MCP there",
      { "server/discover": raw("no", "text/plain", 404), initialize: raw("no", "text/plain", 404) },
      "Cannot connect to http://host/mcp: it answered initialize with status 404; pass the URL of a Streamable HTTP MCP server",
    ],
    [
      "a web site",
      { "server/discover": raw("<html>", "text/html"), initialize: raw("<html>", "text/html") },
      "Cannot connect to http://host/mcp: its answer to initialize is text/html, neither JSON nor an event stream; pass the URL of a Streamable HTTP MCP server",
    ],
    [
      "a server that is down",
      { "server/discover": raw("", "text/plain", 503), initialize: raw("", "text/plain", 503) },
      "Cannot connect to http://host/mcp: it answered initialize with status 503; pass the URL of a Streamable HTTP MCP server",
    ],
    [
      "a token that is wanted",
      { "server/discover": raw("", "text/plain", 401) },
      "The server at http://host/mcp rejects the request as unauthorized; put a token into an environment variable, such as TOKEN, and pass --header-env Authorization=TOKEN",
    ],
    [
      "OAuth",
      {
        "server/discover": (response) =>
          void response
            .writeHead(401, { "www-authenticate": 'Bearer resource_metadata="http://x/y"' })
            .end(),
      },
      'The server at http://host/mcp requires OAuth; write "-- npx -y mcp-remote http://host/mcp" instead of --url, or pass a token with --header-env',
    ],
    [
      "access that is denied",
      { "server/discover": raw("", "text/plain", 403) },
      "Cannot connect to http://host/mcp: it answered server/discover with status 403; pass the URL of a Streamable HTTP MCP server",
    ],
    [
      "a refusal to be initialized",
      { initialize: json({ error: { code: -32_603, message: "no" } }) },
      'The server "http://host/mcp" refused to connect: no (-32603)',
    ],
  ])("at the beginning: %s", async (_, answers, sentence) => {
    const reported = await readSentence(answers);
    expect(reported.replaceAll(/127\.0\.0\.1:\d+/g, "host")).toBe(sentence);
  });

  test("nobody listens", async () => {
    using server = new RawEndpoint();
    const { url } = server;
    server[Symbol.dispose]();
    const error: unknown = await openConnection(url)
      .connect(timeoutMs)
      .catch((caught: unknown) => caught);
    const message = `Cannot reach ${url}: connection refused (ECONNREFUSED)`;
    expect(error).toMatchObject({ message, exitCode: 3 });
  });

  test("silence", async () => {
    using server = new RawEndpoint({ "server/discover": () => undefined });
    const error: unknown = await openConnection(server.url)
      .connect(300)
      .catch((caught: unknown) => caught);
    expect(String(error)).toContain("it did not answer within 0.3 s");
  });
});

describe("redirects", () => {
  test("inside the origin are followed, with the headers", async () => {
    const moved: RawAnswers = Object.fromEntries(
      ["server/discover", "initialize", "tools/list"].map((method) => [
        method,
        (response, request) => {
          if (request.path === "/mcp") response.writeHead(307, { location: "/moved" }).end();
          else
            json({ result: method === "tools/list" ? { tools: [] } : initialized })(
              response,
              request,
            );
        },
      ]),
    );
    using server = new RawEndpoint(moved);
    const connection = openConnection(server.url, [["X-Key", "a-secret-key"]]);
    await connection.connect(timeoutMs);
    await connection.close();
    expect(server.last("initialize")).toMatchObject({
      path: "/moved",
      headers: { "x-key": "a-secret-key" },
    });
  });

  test("row 141: to another host get no request, so no header", async () => {
    using otherServer = new RawEndpoint();
    using server = new RawEndpoint({
      "server/discover": (response) =>
        void response.writeHead(308, { location: otherServer.url }).end(),
      initialize: (response) => void response.writeHead(308, { location: otherServer.url }).end(),
    });
    const connection = openConnection(server.url, [["Authorization", "Bearer a-secret-key"]]);
    const error: unknown = await connection.connect(timeoutMs).catch((caught: unknown) => caught);
    expect(String(error)).toContain(`it redirects to ${otherServer.url}, which is not followed`);
    expect(otherServer.seen).toEqual([]);
  });
});

async function call(answer: RawAnswer, ms: number = timeoutMs) {
  using server = new RawEndpoint({ "tools/call": answer });
  const connection = openConnection(server.url);
  await connection.connect(timeoutMs);
  try {
    return await connection.call({ tool: "t", arguments: {}, timeoutMs: ms });
  } finally {
    await connection.close();
  }
}

describe("calls", () => {
  test.each<[string, RawAnswer, object]>([
    [
      "an error of the server",
      raw("oops", "text/plain", 500),
      { isAnswered: false, errorCode: null, error: "it answered tools/call with status 500" },
    ],
    [
      "an error of JSON-RPC",
      json({ error: { code: -32_602, message: "no such row" } }),
      { isAnswered: true, errorCode: -32_602, error: "no such row" },
    ],
    [
      "a stream that ends",
      events([]),
      { isAnswered: false, error: "its answer to tools/call ended without a result" },
    ],
  ])("%s is a value", async (_, answer, value) => {
    expect(await call(answer)).toMatchObject({ isError: true, ...value });
  });

  test("silence is a value", async () => {
    expect(await call(() => undefined, 200)).toMatchObject({ error: "no answer within 0.2 s" });
  });

  test.each<[string, RawAnswer, string]>([
    ["a server that is gone", (response) => void response.destroy(), "closed before an answer"],
    ["a token that has expired", raw("", "text/plain", 401), "rejects the request as unauthorized"],
  ])("%s is the end of all calls", async (_, answer, sentence) => {
    const error: unknown = await call(answer).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ exitCode: 3, message: expect.stringContaining(sentence) });
  });
});

test("the headers of the user replace ours, and go with every request", async () => {
  using server = new RawEndpoint();
  const overrides = [
    ["User-Agent", "garden"],
    ["Authorization", "Bearer a-secret-key"],
  ] as const;
  const connection = openConnection(server.url.replace("127", "me:word@127"), overrides);
  await connection.connect(timeoutMs);
  await connection.readLists(timeoutMs);
  await connection.close();
  await eventually("the goodbye", () => server.methods.includes("DELETE"));
  for (const { headers } of server.seen) {
    expect(headers).toMatchObject({ "user-agent": "garden", authorization: "Bearer a-secret-key" });
  }
});

test("events that are not JSON-RPC are counted, and the first is quoted", async () => {
  const noisy = events(["data: hello \u001b[31mred\n\n", listedEvent]);
  const { tools, foreign } = await visited({ "tools/list": noisy });
  expect(tools).toEqual([rawTool]);
  expect([foreign.foreignLineCount, foreign.firstForeignLine]).toEqual([1, "hello red"]);
});
