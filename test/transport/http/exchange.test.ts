import { createHash } from "node:crypto";
import { connect } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "bun:test";
import type { ServerResponse } from "node:http";
import * as fc from "fast-check";
import { type ScriptedAnswer, startScriptedServer } from "../../support/scripted-http-server.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../../support/bytes.ts";
import { type ProxySetting, proxyTo } from "../../support/http-proxy.ts";
import { rawServer } from "../../support/raw-server.ts";
import { call, initialize, textResult } from "../../support/rpc.ts";
import { eventually } from "../../support/wait.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

async function awkward(answer: ScriptedAnswer, setting?: ProxySetting) {
  const server = await startScriptedServer(answer);
  const proxied = proxyTo(server.port, setting);
  return {
    ...proxied,
    got: server.got,
    server: server.server,
    direct: server.url,
    [Symbol.dispose]: () => {
      proxied[Symbol.dispose]();
      server[Symbol.dispose]();
    },
  };
}

const requestText = JSON.stringify(call(1, "x"));
const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const raw = { decompress: false } as const;
const post = (url: string, init: RequestInit = {}) =>
  fetch(url, { method: "POST", body: requestText, headers: json, ...raw, ...init });
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const session = { ...json, "mcp-session-id": "s" };

const readPort = (url: string) => Number(new URL(url).port);

async function rawAsk(url: string, request: string, pauseMs = 0) {
  const socket = connect(readPort(url), "127.0.0.1");
  const chunks: Buffer[] = [];
  let end = "ended";
  socket.on("error", () => (end = "broken"));
  socket.on("data", (bytes: Buffer) => {
    chunks.push(bytes);
    if (pauseMs === 0) return;
    socket.pause();
    setTimeout(() => socket.resume(), pauseMs);
  });
  socket.write(Buffer.from(request, "latin1"));
  await new Promise<void>((resolve) => void socket.on("close", () => resolve()));
  return { text: Buffer.concat(chunks).toString("latin1"), end };
}

function namesAndValues(text: string): Map<string, string> {
  const [head = ""] = text.split("\r\n\r\n");
  return new Map(
    head
      .split("\r\n")
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
}

describe("forwardExchange", () => {
  test("row 103: bodies pass byte for byte, also those that are no text", async () => {
    using one = await awkward(({ body }, response) => response.writeHead(200, json).end(body));
    const bodies = [
      bytesOf('{"a":\r\n"\\u00e9",\n"b":1}\r\n'),
      Uint8Array.of(0xff, 0xfe, 0, 10, 13, 0x7b),
      bytesOf("\uFEFF{}"),
      new Uint8Array(0),
    ];
    for (const body of bodies) {
      const answer = await post(one.url, { body });
      expect([...(await answer.bytes())]).toEqual([...body]);
      expect([...(one.got.at(-1)?.body ?? [])]).toEqual([...body]);
    }
  });

  test("row 103: chance: any body in any chunks, both ways", async () => {
    let cut: readonly Uint8Array[] = [];
    using one = await awkward((_got, response) => {
      response.writeHead(200, stream);
      for (const chunk of cut) response.write(chunk);
      response.end();
    });
    const bytes = fc.uint8Array({ maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(bytes, bytes, anyCuts, async (up, down, cuts) => {
        cut = chunksOf(down, cuts).filter((chunk) => chunk.length > 0);
        const received = await (await post(one.url, { body: up })).bytes();
        expect([sha(received), sha(one.got.at(-1)?.body ?? up)]).toEqual([sha(down), sha(up)]);
      }),
      { numRuns: 60 },
    );
  });

  test("headers and statuses pass, those of the connection aside", async () => {
    const rows = [200, 202, 204, 307, 400, 401, 404, 405, 406, 500, 503];
    using one = await awkward(({ request }, response) => {
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.setHeader("WWW-Authenticate", 'Bearer resource_metadata="http://up/x", scope="a b"');
      response.setHeader("Location", "http://127.0.0.1:1/elsewhere");
      response.writeHead(Number(request.headers["x-status"]), json).end();
    });
    for (const status of rows) {
      const headers = {
        ...json,
        "x-status": String(status),
        authorization: "b  c",
        "mcp-name": "=?base64?0LXRhdC+?=",
      };
      const answer = await post(one.url, { headers, redirect: "manual" });
      expect(answer.status).toBe(status);
      expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
      expect(answer.headers.get("www-authenticate")).toContain('scope="a b"');
      expect(answer.headers.get("location")).toBe("http://127.0.0.1:1/elsewhere");
      expect(one.got.at(-1)?.request.headers).toMatchObject({
        authorization: "b  c",
        "mcp-name": headers["mcp-name"],
      });
      expect(one.got.at(-1)?.request.headers.host).toBe(new URL(one.direct).host);
    }
  });

  test("the configured headers replace those of the client, and codings are what it asked for", async () => {
    using one = await awkward((_got, response) => void response.end(), {
      headers: [["Authorization", "Bearer ours"]],
      path: "/mcp?key=1",
    });
    await post(one.url, { headers: { authorization: "theirs", "accept-encoding": "br" } });
    await post(`${one.url}?own=2`);
    expect(one.got[0]?.request.headers).toMatchObject({
      authorization: "Bearer ours",
      "accept-encoding": "br",
    });
    expect(one.got.map(({ request }) => request.url)).toEqual(["/mcp?key=1", "/mcp?own=2"]);
  });

  test("row 103: coded answers pass coded, and are read from a copy", async () => {
    const text = JSON.stringify(textResult(1, "Hi"));
    const codings = { gzip: gzipSync(text), br: brotliCompressSync(text) };
    for (const [coding, bytes] of Object.entries(codings)) {
      using one = await awkward((_got, response) => {
        response.writeHead(200, { ...json, "content-encoding": coding }).end(bytes);
      });
      const answer = await post(one.url);
      expect(answer.headers.get("content-encoding")).toBe(coding);
      expect(sha(await answer.bytes())).toBe(sha(bytes));
      await eventually("the copy", () => one.seen[0]?.messages.length === 2);
      expect(one.seen[0]?.messages[1]).toBe(`server: ${text}`);
    }
  });

  test("events pass as they come, and each is taken once it is whole", async () => {
    const chunks = [
      "id: 1\r\nda",
      'ta: {"first":',
      "100}\r\n\r",
      "\ndata: the second one\n\n: bye",
    ];
    let next = Promise.withResolvers<void>();
    using one = await awkward(async (_got, response) => {
      response.writeHead(200, stream);
      for (const piece of chunks) {
        response.write(piece);
        await next.promise;
        next = Promise.withResolvers();
      }
      response.end();
    });
    const reader = (await post(one.url)).body?.getReader() ?? expect.unreachable();
    for (const piece of chunks) {
      expect(textOf((await reader.read()).value)).toBe(piece);
      next.resolve();
    }
    expect((await reader.read()).done).toBe(true);
    await eventually("both", () => one.seen[0]?.messages.length === 3);
    expect(one.seen[0]?.messages.slice(1)).toEqual([
      'server: {"first":100}',
      "server: the second one",
    ]);
  });

  test("a short answer keeps its length, and one that pauses passes as it comes", async () => {
    const next = Promise.withResolvers<void>();
    using one = await awkward(async ({ request }, response) => {
      response.writeHead(200, { ...json, "content-length": "4" }).write("{");
      if (request.headers["x-pause"] === "yes") await next.promise;
      response.end('"a"');
    });
    // A busy machine may take longer.
    for (let isInOnePiece = false; !isInOnePiece;) {
      const short = await post(one.url);
      expect(await short.text()).toBe('{"a"');
      isInOnePiece = short.headers.get("content-length") === "4";
    }
    const paused = await post(one.url, { headers: { ...json, "x-pause": "yes" } });
    const reader = paused.body?.getReader() ?? expect.unreachable();
    expect(textOf((await reader.read()).value)).toBe("{");
    next.resolve();
    expect(textOf((await reader.read()).value)).toBe('"a"');
  });

  test("a short answer that breaks off breaks off, and its request is over", async () => {
    using one = await awkward(({ request }, response) => {
      response.writeHead(200, { ...json, "content-length": "9" });
      response.write("{", () => void request.socket.destroy());
    });
    const broken = await post(one.url)
      .then((answer) => answer.text())
      .catch(() => "broken");
    expect(broken).toBe("broken");
    await eventually("its end", () => one.seen[0]?.overs.length === 1);
    await eventually("the end", () => one.proxy.openExchanges === 0);
  });

  test("row 104: an answer of 64 MiB and an event beyond the limit pass whole", async () => {
    const mebibyte = Buffer.alloc(1 << 20, 97);
    const send = async (response: ServerResponse, count: number) => {
      for (let at = 0; at < count; at += 1) {
        if (!response.write(mebibyte))
          await new Promise((done) => void response.once("drain", done));
      }
    };
    using big = await awkward(async (_got, response) => {
      response.writeHead(200, json).write('{"jsonrpc":"2.0","id":1,"result":"');
      await send(response, 64);
      response.end('"}');
    });
    expect((await (await post(big.url)).bytes()).length).toBe((64 << 20) + 36);
    await eventually("its end", () => big.seen[0]?.messages.length === 2);
    expect(big.seen[0]?.messages[1]).toBe(`server: (${(64 << 20) + 36})`);
    using event = await awkward(async (_got, response) => {
      response.writeHead(200, stream).write('data: "');
      await send(response, lineObservedBytesMax >> 20);
      response.end('"\n\n');
    });
    expect((await (await post(event.url)).bytes()).length).toBe(lineObservedBytesMax + 10);
    await eventually("its end", () => event.seen[0]?.messages.length === 2);
  });

  test("row 105: a server that is dead is a 502 with the id, and the request is over", async () => {
    using one = await awkward((_got, response) => void response.end());
    one.server.close();
    one.server.closeAllConnections();
    const answer = await post(one.url, { headers: session });
    expect([answer.status, await answer.json()]).toEqual([
      502,
      {
        jsonrpc: "2.0",
        id: 1,
        error: { code: -31_901, message: expect.stringContaining("Cannot reach") },
      },
    ]);
    expect(one.seen[0]?.overs).toEqual(["rpc_error"]);
  });

  test("row 105: a server that dies before its head is a 502, in the middle of an event a broken stream", async () => {
    using early = await awkward(({ request }) => void request.socket.destroy());
    expect((await post(early.url)).status).toBe(502);
    using middle = await awkward(({ request }, response) => {
      response.writeHead(200, stream).write("data: {", () => void request.socket.destroy());
    });
    const broken = await post(middle.url)
      .then((answer) => answer.text())
      .catch(() => "broken");
    expect(broken).toBe("broken");
    await eventually("its end", () => middle.seen[0]?.overs.length === 1);
    expect(middle.seen[0]).toMatchObject({
      overs: ["abandoned"],
      messages: [`client: ${requestText}`],
    });
  });

  test("row 106: a client that leaves ends the request at the server, before and after the head", async () => {
    for (const hasHead of [false, true]) {
      let left = false;
      using one = await awkward(({ request }, response) => {
        request.socket.once("close", () => (left = true));
        if (hasHead) response.writeHead(200, stream).write(": hi\n\n");
      });
      const leaving = new AbortController();
      const answer = post(one.url, { signal: leaving.signal }).catch(() => undefined);
      await eventually("the request", () => one.got.length === 1);
      if (hasHead) await (await answer)?.body?.getReader().read();
      leaving.abort();
      await eventually("the server's end", () => left);
      await eventually("the end", () => one.proxy.openExchanges === 0);
      expect(one.seen[0]?.overs).toEqual(["abandoned"]);
    }
  });

  test("row 106: a client that reads no further stops the server", async () => {
    let sent = 0;
    using one = await awkward(async (_got, response) => {
      response.writeHead(200, stream);
      const piece = Buffer.alloc(1 << 20, 97);
      for (let count = 0; count < 200; count += 1) {
        if (!response.write(piece)) await new Promise((done) => void response.once("drain", done));
        sent += piece.length;
      }
      response.end();
    });
    const socket = connect(Number(new URL(one.url).port), "127.0.0.1");
    socket.pause();
    socket.write("GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n");
    await eventually("the first part", () => sent > 0);
    let [before, stillMs] = [-1, performance.now()];
    await eventually("the stop", () => {
      if (before !== sent) [before, stillMs] = [sent, performance.now()];
      return performance.now() - stillMs > 500;
    });
    expect(sent).toBeLessThan(100 << 20);
    socket.destroy();
  });

  test("a POST is never sent twice, also where the server closes its connection", async () => {
    let count = 0;
    using server = await rawServer((socket) => {
      count += 1;
      if (count === 1) socket.write("HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n");
      else socket.destroy();
    });
    using proxied = proxyTo(readPort(server.url));
    expect((await post(proxied.url)).status).toBe(202);
    expect([(await post(proxied.url)).status, server.requests.length]).toEqual([502, 2]);
  });

  const cutBodies = [
    ["a length", "content-length: 90\r\n\r\n", "{"],
    ["a length, and no byte", "content-length: 90\r\n\r\n", ""],
    ["chunks", "transfer-encoding: chunked\r\n\r\n", "1\r\n{\r\n"],
    ["chunks, in the middle of one", "transfer-encoding: chunked\r\n\r\n", "9\r\n{"],
    ["chunks, and no byte", "transfer-encoding: chunked\r\n\r\n", ""],
  ] as const;
  for (const type of ["application/json", "text/event-stream"]) {
    test.each(cutBodies)(`a cut body of ${type} never looks whole: %s`, async (_, fields, body) => {
      using server = await rawServer((socket) => {
        socket.end(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${fields}${body}`);
      });
      using proxied = proxyTo(readPort(server.url));
      for (const version of ["1.0", "1.1"]) {
        const head = `POST /mcp HTTP/${version}\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n`;
        const { text, end } = await rawAsk(proxied.url, `${head}{}`);
        expect([end, text]).toEqual(["broken", expect.not.stringContaining("\r\n0\r\n\r\n")]);
      }
    });
  }

  test("a slow client gets all of an answer behind which its connection ends", async () => {
    const size = 20 << 20;
    using one = await awkward((_got, response) => {
      response.writeHead(200, json).end(Buffer.alloc(size, 97));
    });
    const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";
    const { text, end } = await rawAsk(one.url, `${head}Content-Length: 2\r\n\r\n{}`, 1);
    expect([end, text.match(/a{99}/g)?.length]).toEqual(["ended", expect.any(Number)]);
    expect(text.replaceAll(/[^a]/g, "").length).toBeGreaterThanOrEqual(size);
  });

  test.each(["FIN", "RST"])(
    "row 106: a client that leaves by %s at any moment is noticed",
    async (how) => {
      const moments = ["before its body is complete", "before the head", "in a silent stream"];
      for (const moment of moments) {
        let left = false;
        using one = await awkward(({ request }, response) => {
          request.socket.once("close", () => (left = true));
          if (moment === "in a silent stream") response.writeHead(200, stream).write(": hi\n\n");
        });
        const socket = connect(readPort(one.url), "127.0.0.1");
        const body = moment === "before its body is complete" ? "{" : "{}";
        socket.write(`POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2\r\n\r\n${body}`);
        if (body === "{}") await eventually("the request", () => one.got.length === 1);
        await eventually("an open exchange", () => one.proxy.openExchanges === 1);
        if (how === "FIN") socket.end();
        else socket.resetAndDestroy();
        await eventually("the end", () => one.proxy.openExchanges === 0);
        if (body === "{}") await eventually("the server's end", () => left);
        else expect(one.got).toEqual([]);
      }
    },
  );

  test("headers pass whatever characters they have, and none is added to an answer but the date", async () => {
    using server = await rawServer((socket) => {
      const fields = "x-odd_!#: caf\u00c3\u00a9\r\nx-empty:\r\nserver: me\r\nx-a: 1\r\nx-a: 2\r\n";
      socket.end(Buffer.from(`HTTP/1.1 200 OK\r\n${fields}content-length: 2\r\n\r\n{}`, "latin1"));
    });
    using proxied = proxyTo(readPort(server.url), { headers: [["Host", "named.example"]] });
    const fields =
      "X-Odd_!#: caf\u00c3\u00a9\r\nX-A: 1\r\nX-A: 2\r\nUser-Agent: me\r\nAccept: x\r\nVia: 1.1 a\r\n";
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${fields}`;
    const { text } = await rawAsk(
      proxied.url,
      `${head}X-Long: ${"a".repeat(15_000)}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    const answered = namesAndValues(text);
    expect(answered.delete("date")).toBe(true);
    expect(Object.fromEntries(answered)).toEqual({
      "content-length": "2",
      "x-odd_!#": "caf\u00c3\u00a9",
      "x-empty": "",
      server: "me",
      "x-a": "1, 2",
    });
    const sent = namesAndValues(server.requests[0] ?? "");
    expect(sent.get("x-long")).toHaveLength(15_000);
    sent.delete("x-long");
    expect(Object.fromEntries(sent)).toEqual({
      host: "named.example",
      connection: "keep-alive",
      "content-length": "2",
      "x-odd_!#": "caf\u00c3\u00a9",
      "x-a": "1, 2",
      "user-agent": "me",
      accept: "x",
      via: "1.1 a",
    });
  });

  test("a request that a redirect sends on to another metered address is none", async () => {
    using one = await awkward(({ request }, response) => {
      if (request.url === "/mcp") response.writeHead(308, { location: "/mcp/new" }).end();
      else response.writeHead(200, json).end(JSON.stringify(textResult(1, "Hi")));
    });
    const answer = await post(one.url, { headers: session });
    expect(await answer.text()).toContain("Hi");
    await eventually("both exchanges", () => one.seen[0]?.messages.length === 3);
    expect(one.seen.map(({ redirects, overs }) => [redirects, overs])).toEqual([
      [1, ["abandoned"]],
    ]);
  });

  test("other paths are forwarded and not metered", async () => {
    using one = await awkward(({ request }, response) => void response.end(request.url));
    const url = new URL("/.well-known/oauth-protected-resource/mcp", one.url);
    expect(await (await fetch(url)).text()).toBe(url.pathname);
    expect(one.seen).toEqual([]);
  });

  test("the old HTTP+SSE transport is named once, and passes untouched", async () => {
    const text = "event: endpoint\ndata: /messages?sessionId=1\n\ndata: {}\n\n";
    using one = await awkward(({ request }, response) => {
      if (request.method === "GET") response.writeHead(200, stream).end(text);
      else response.writeHead(202).end("Accepted");
    });
    for (let at = 0; at < 2; at += 1)
      expect(
        await (await fetch(one.url, { headers: { accept: "text/event-stream" } })).text(),
      ).toBe(text);
    const posted = await post(new URL("/messages?sessionId=1", one.url).href);
    expect([posted.status, one.got.at(-1)?.request.url]).toEqual([202, "/messages?sessionId=1"]);
    await eventually("the notice", () => one.sentences.length > 0);
    expect(one.sentences).toEqual([
      `The server at ${one.direct} speaks the old HTTP+SSE transport; use "mcp-meter -- npx -y mcp-remote ${one.direct} --transport sse-only"`,
    ]);
    expect(one.seen.flatMap(({ messages }) => messages)).toEqual([]);
  });

  test.each([401, 404, 500, "dead"])(
    "an initialize that is rejected (%p) is a failed request",
    async (status) => {
      using one = await awkward(({ request }, response) => {
        if (status === "dead") request.socket.destroy();
        else response.writeHead(status, { "content-type": "text/plain" }).end("No");
      });
      const body = JSON.stringify(initialize());
      expect((await post(one.url, { body })).status).toBe(status === "dead" ? 502 : status);
      await eventually("its end", () => one.seen[0]?.overs.length === 1);
      const text = `{"jsonrpc":"2.0","id":"init","error":{"code":${status},"message":"No"}}`;
      const answer = status === "dead" ? [] : [expect.stringContaining(text.slice(0, -2))];
      expect(one.seen[0]).toMatchObject({
        messages: [`client: ${body}`, ...answer],
        overs: ["rpc_error"],
      });
    },
  );

  test("a session ends by DELETE", async () => {
    using one = await awkward((_got, response) => void response.writeHead(200, json).end());
    await post(one.url, { headers: session });
    await fetch(one.url, { method: "DELETE", headers: session });
    await eventually("the end", () => one.seen[0]?.isClosed === true);
    expect(one.got.map(({ request }) => request.method)).toEqual(["POST", "DELETE"]);
  });
});
