import { describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { openExchangesMax } from "#transport/http/reject-requests.ts";
import { proxyTo } from "../../support/http-proxy.ts";
import { pour } from "../../support/raw-server.ts";
import { call, textResult } from "../../support/rpc.ts";
import { thrownBy } from "../../support/folder.ts";
import { eventually } from "../../support/wait.ts";
import { requestBytesMax, heldRequestBytesMax } from "#transport/http/request-body.ts";

function serverWith(fetch: (request: Request) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 0, fetch });
  return { port: server.port ?? 0, [Symbol.dispose]: () => void server.stop(true) };
}

const body = JSON.stringify(call(1, "x"));
const answered = JSON.stringify(textResult(1, "Hi"));
const post = (url: string, init: RequestInit = {}) => fetch(url, { method: "POST", body, ...init });
const json = () => new Response(answered, { headers: { "content-type": "application/json" } });

function silent(left: () => void): Response {
  const stream = new ReadableStream<string>({
    start: (controller) => controller.enqueue(": hi\n\n"),
    cancel: left,
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

describe("startReverseProxy", () => {
  test("forwards, meters, and says at which address", async () => {
    using server = serverWith(json);
    using proxied = proxyTo(server.port);
    expect(proxied.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(await (await post(proxied.url)).text()).toBe(answered);
    const [firstRequest] = proxied.seen;
    await eventually("the answer", () => firstRequest?.messages.length === 2);
    expect(firstRequest?.messages).toEqual([`client: ${body}`, `server: ${answered}`]);
  });

  test("row 107: refuses foreign hosts and pages before anything is forwarded", async () => {
    let requests = 0;
    using server = serverWith(() => {
      requests += 1;
      return json();
    });
    using proxied = proxyTo(server.port);
    for (const headers of [
      { host: "evil.example" },
      { origin: "http://evil.example" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      const answer = await post(proxied.url, { headers });
      expect([answer.status, await answer.text()]).toEqual([
        403,
        expect.stringContaining("programs on this machine"),
      ]);
    }
    expect([requests, proxied.seen.length]).toEqual([0, 0]);
  });

  test("row 159: refuses requests that no MCP client makes, and those to other paths but for messages", async () => {
    let requests = 0;
    using server = serverWith(() => {
      requests += 1;
      return json();
    });
    using proxied = proxyTo(server.port);
    const { port } = new URL(proxied.url);
    const statuses: string[] = [];
    for (const first of [
      "TRACE /mcp",
      "PUT /mcp",
      "HEAD /mcp",
      "GET /mcp",
      "GET /other",
      "DELETE /",
    ]) {
      const socket = connect(Number(port), "127.0.0.1");
      const answering = new Promise<string>((resolve) => {
        socket.once("data", (bytes) => resolve(bytes.toString()));
      });
      socket.write(`${first} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n`);
      const head = await answering;
      statuses.push(/ (\d+)/.exec(head)?.[1] ?? "");
      expect(/^allow:/im.test(head)).toBe(statuses.at(-1) === "405");
      socket.destroy();
    }
    expect([statuses, requests]).toEqual([["405", "405", "405", "406", "404", "404"], 0]);
  });

  test("a body of GET is dropped", async () => {
    const bodies: string[] = [];
    using server = serverWith(async (request) => {
      bodies.push(await request.text());
      return json();
    });
    using proxied = proxyTo(server.port);
    const socket = connect(Number(new URL(proxied.url).port), "127.0.0.1");
    socket.write(
      `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await eventually("the request", () => bodies.length === 1);
    socket.destroy();
    expect(bodies).toEqual([""]);
  });

  test("says once which token or which program a server wants that rejects requests", async () => {
    let header = "Bearer";
    using server = serverWith(
      () => new Response("{}", { status: 401, headers: { "www-authenticate": header } }),
    );
    using plain = proxyTo(server.port);
    for (let time = 0; time < 2; time += 1) expect((await post(plain.url)).status).toBe(401);
    expect(plain.sentences).toEqual([expect.stringContaining("--header-env")]);
    header = 'Bearer error="x", resource_metadata="http://up/.well-known/x"';
    using wanting = proxyTo(server.port, { path: "/mcp?key=secret" });
    const answer = await post(wanting.url);
    expect(answer.headers.get("www-authenticate")).toBe(header);
    expect(wanting.sentences).toEqual([
      expect.stringContaining(`mcp-remote http://127.0.0.1:${server.port}/mcp"`),
    ]);
  });

  test("row 104: takes as many exchanges as its way to the server can make, and refuses one more", async () => {
    using server = serverWith(() => silent(() => undefined));
    using proxied = proxyTo(server.port);
    const { port } = new URL(proxied.url);
    let heads = "";
    const sockets = Array.from({ length: openExchangesMax + 1 }, () => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("data", (text) => (heads += /HTTP\/1\.1 (\d+)/.exec(text.toString())?.[1] ?? ""));
      socket.write(`GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
      return socket;
    });
    await eventually("all answers", () => heads.length === 3 * sockets.length);
    expect(heads.match(/200/g)).toHaveLength(openExchangesMax);
    expect(heads.match(/503/g)).toHaveLength(1);
    expect(proxied.proxy.openExchanges).toBe(openExchangesMax);
    for (const socket of sockets) socket.destroy();
    await eventually("the end of all", () => proxied.proxy.openExchanges === 0);
    expect((await post(proxied.url)).status).toBe(200);
  });

  test("row 104: takes a request of the limit, and refuses a longer one (slow)", async () => {
    using server = serverWith(async (request) => {
      return new Response(String((await request.bytes()).length));
    });
    using proxied = proxyTo(server.port);
    const largest = await post(proxied.url, { body: new Uint8Array(requestBytesMax) });
    expect(await largest.text()).toBe(String(requestBytesMax));
    const longer = await post(proxied.url, { body: new Uint8Array(requestBytesMax + 1) });
    expect(longer.status).toBe(413);
  });

  test("row 104: a request in chunks takes room as it comes, and is refused beyond the limits (slow)", async () => {
    using server = serverWith(async (request) => {
      return new Response(String((await request.bytes()).length));
    });
    using proxied = proxyTo(server.port);
    for (const [length, status] of [
      [requestBytesMax, 200],
      [requestBytesMax + 1, 413],
    ] as const) {
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(length));
          controller.close();
        },
      });
      expect((await post(proxied.url, { body: stream })).status).toBe(status);
    }
    const head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n";
    const chunk = new Uint8Array(heldRequestBytesMax / 4);
    const open = new Set<Socket>();
    const hold = async (): Promise<void> => {
      const socket = connect(Number(new URL(proxied.url).port), "127.0.0.1");
      open.add(socket);
      // A request below may have taken the room of this one, which is then refused.
      socket.once("data", () => {
        socket.destroy();
        if (open.delete(socket)) void hold();
      });
      await pour(socket, [`${head}${chunk.length.toString(16)}\r\n`, chunk]);
    };
    await Promise.all(Array.from({ length: 4 }, hold));
    const long = { body: new Uint8Array(2 << 20) };
    await eventually("a refusal", async () => (await post(proxied.url, long)).status === 503);
    expect((await post(proxied.url)).status).toBe(200);
    for (const socket of open) {
      open.delete(socket);
      socket.destroy();
    }
    await eventually("room again", async () => (await post(proxied.url, long)).status === 200);
  });

  test("row 108: a meter that fails is reported once, and nothing is lost", async () => {
    using server = serverWith(json);
    using proxied = proxyTo(server.port, { isBroken: true });
    for (let time = 0; time < 2; time += 1) {
      expect(await (await post(proxied.url)).text()).toBe(answered);
    }
    await eventually("the report", () => proxied.sentences.length > 0);
    expect(proxied.sentences).toEqual([expect.stringContaining("traffic continues")]);
  });

  test("a port that is taken is a mistake of the user", () => {
    using server = serverWith(json);
    using proxied = proxyTo(server.port);
    const { port } = new URL(proxied.url);
    const taken = thrownBy(() => proxyTo(server.port, { port: Number(port) }));
    expect(taken).toContain(`Cannot serve on port ${port}`);
  });
});
