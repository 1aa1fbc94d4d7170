import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { chunkOf } from "#http-server/answer-bytes.ts";
import type { Answerer } from "#http-server/client-connection.ts";
import type { ClientAnswer, ClientRequest, StreamedBody } from "#http-server/client-request.ts";
import { listenForHttp } from "#http-server/http-listener.ts";
import { pipelinedBytesMax, requestBytesMax } from "#limits/http.ts";
import { anyCuts, bytesOf, chunksOf, textOf } from "../support/bytes.ts";
import { RawClient } from "../support/raw-client.ts";
import { eventually } from "../support/wait.ts";

type Answer = Answerer["answer"];

const answerOf = (text: string, status = 200): ClientAnswer => ({
  status,
  headers: new Headers(),
  body: bytesOf(text),
});

/** Says what it was asked. */
const echo: Answer = async ({ method, url, body }) =>
  answerOf(`${method} ${url.pathname} ${textOf(await body())}`);

function listening(answer: Answer = echo) {
  const listener = listenForHttp(0, {
    answer,
    rejection: (status, error) => answerOf(error instanceof Error ? error.name : "", status),
  });
  return { port: listener.port, [Symbol.dispose]: listener.close };
}

const get = (path: string, ...fields: string[]) =>
  ["GET " + path + " HTTP/1.1", "Host: localhost", ...fields, "", ""].join("\r\n");
const post = (text: string, ...fields: string[]) =>
  [
    "POST /p HTTP/1.1",
    "Host: localhost",
    `Content-Length: ${text.length}`,
    ...fields,
    "",
    text,
  ].join("\r\n");
/** An answer as it goes over the wire. */
const wire = (body: string, line = "200 OK") =>
  `HTTP/1.1 ${line}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
const last = (body: string, line: string) =>
  `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** A body that gives a piece at each call of `next`; its end, or a failure, is the test's choice too. */
class Fed implements StreamedBody {
  isLeft = false;
  readonly #steps: (() => { done?: boolean; value?: Uint8Array })[] = [];

  readonly read = async () => (await eventually("the next piece", () => this.#steps.shift()))();
  readonly left = () => {
    this.isLeft = true;
    this.fail();
  };

  next(value: string | undefined): void {
    this.#steps.push(() => (value === undefined ? { done: true } : { value: bytesOf(value) }));
  }

  fail(): void {
    this.#steps.push(() => {
      throw new Error("broken off");
    });
  }
}

const streaming =
  (body: StreamedBody): Answer =>
  () =>
    Promise.resolve({ status: 200, headers: new Headers(), body });

describe("one connection", () => {
  test("carries requests one after the other, and some at once, in their order", async () => {
    using server = listening();
    using client = await RawClient.to(server.port);
    await client.send(get("/a")).endsWith(wire("GET /a "));
    await client.send(post("b")).endsWith(wire("POST /p b"));
    await client
      .send(post("c") + get("/d") + post("e"))
      .endsWith(wire("POST /p c") + wire("GET /d ") + wire("POST /p e"));
    expect([client.statuses.length, client.end]).toEqual([5, undefined]);
  });

  test("answers the same, however the bytes of its requests are cut", async () => {
    using server = listening();
    const text = post("abc") + get("/d") + post("") + get("/e");
    const expected = wire("POST /p abc") + wire("GET /d ") + wire("POST /p ") + wire("GET /e ");
    await fc.assert(
      fc.asyncProperty(anyCuts, async (cuts) => {
        using client = await RawClient.to(server.port);
        for (const chunk of chunksOf(bytesOf(text), cuts)) {
          client.send(chunk);
          await new Promise(setImmediate);
        }
        await client.endsWith(expected);
        expect(client.text).toBe(expected);
      }),
      { numRuns: 30 },
    );
  });

  test("begins to answer the next request when the last answer is over", async () => {
    const log: string[] = [];
    const slow = new Fed();
    using server = listening(async (request) => {
      log.push(request.url.pathname);
      return request.url.pathname === "/slow" ? streaming(slow)(request) : echo(request);
    });
    using client = await RawClient.to(server.port);
    client.send(get("/slow") + get("/next"));
    await client.answered(1);
    expect(log).toEqual(["/slow"]);
    slow.next("x");
    slow.next(undefined);
    await client.endsWith(`1\r\nx\r\n0\r\n\r\n${wire("GET /next ")}`);
  });

  test("as much as a client may send behind an open request is answered, and with more the connection ends", async () => {
    const slow = new Fed();
    using server = listening((request) =>
      request.method === "GET" ? streaming(slow)(request) : echo(request),
    );
    using client = await RawClient.to(server.port);
    const all = "x".repeat(pipelinedBytesMax - post("").length - 5);
    client.send(get("/slow"));
    await client.answered(1);
    client.send(post(all));
    slow.next(undefined);
    await client.endsWith(wire(`POST /p ${all}`));

    client.send(get("/slow"));
    await client.answered(3);
    client.send(post(`${all}x`) + post("next"));
    await Bun.sleep(20);
    slow.next("the last one");
    slow.next(undefined);
    expect(await client.ended()).toBe("ended");
    expect(client.text).toEndWith("the last one\r\n0\r\n\r\n");
  });

  test("a client that leaves is noticed, however much it has sent behind its request", async () => {
    const body = new Fed();
    using server = listening(streaming(body));
    const client = await RawClient.to(server.port);
    await client.send(get("/slow")).answered(1);
    client.send(post("x".repeat(4 * pipelinedBytesMax)));
    client.socket.end();
    await eventually("the end of the answer", () => body.isLeft);
  });

  test("of HTTP/1.0, or asked to close, it ends behind its answer", async () => {
    using server = listening();
    for (const request of [
      "GET /a HTTP/1.0\r\nHost: localhost\r\n\r\n",
      get("/a", "Connection: close"),
    ]) {
      using client = await RawClient.to(server.port);
      expect(await client.send(request + get("/b")).ended()).toBe("ended");
      expect(client.text).toBe(last("GET /a ", "200 OK"));
    }
  });
});

describe("a request that is not read", () => {
  test.each([
    ["NOT HTTP\r\n\r\n", last("RequestFault", "400 Bad Request")],
    [get("/a", "A : b"), last("HttpFault", "400 Bad Request")],
    [get("/a", "Transfer-Encoding: gzip"), last("RequestFault", "501 Not Implemented")],
    [
      get("/a", `Content-Length: ${requestBytesMax + 1}`),
      last("RequestFault", "413 Payload Too Large"),
    ],
    [get(`/${"a".repeat(300_000)}`), last("HttpFault", "431 Request Header Fields Too Large")],
  ])("%#. is answered, and those behind it are not", async (text, expected) => {
    let asked = 0;
    using server = listening((request) => {
      asked += 1;
      return echo(request);
    });
    using client = await RawClient.to(server.port);
    expect(await client.send(text + get("/next")).ended()).toBe("ended");
    expect([client.text, asked]).toEqual([expected, 0]);
  });

  test("one behind others is answered behind them", async () => {
    using server = listening();
    using client = await RawClient.to(server.port);
    await client.send(`${get("/a")}NOT HTTP\r\n\r\n`).ended();
    expect(client.text).toBe(wire("GET /a ") + last("RequestFault", "400 Bad Request"));
  });

  test("a body that is wrong ends its request, which may have an answer that has begun", async () => {
    const left: boolean[] = [];
    const chunked = `POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    using server = listening(async ({ url, body, leaving }) => {
      left.push(leaving.hasLeft);
      leaving.onLeave(() => left.push(true));
      return answerOf(`${url.pathname} ${textOf(await body())}`);
    });
    using client = await RawClient.to(server.port);
    client.send(chunked);
    await eventually("the request", () => left.length > 0);
    await client.send("x\r\n").ended();
    expect([client.text, left]).toEqual([last("HttpFault", "400 Bad Request"), [false, true]]);

    const body = new Fed();
    using early = listening(streaming(body));
    using other = await RawClient.to(early.port);
    await other.send(chunked).answered(1);
    body.next("a");
    await other.endsWith("1\r\na\r\n");
    // It was dropped, but where it ends cannot be found.
    expect(await other.send("x\r\n").ended()).toBe("ended");
    expect([other.statuses, body.isLeft]).toEqual([[200], true]);
  });

  test("what the answering throws is answered with 500", async () => {
    using server = listening(() => Promise.reject(new TypeError("secret")));
    using client = await RawClient.to(server.port);
    await client
      .send(get("/a") + get("/b"))
      .endsWith(wire("TypeError", "500 Internal Server Error").repeat(2));
  });
});

describe("a body", () => {
  test("is awaited where it is asked for, and need not be", async () => {
    using server = listening(async (request) =>
      request.url.pathname === "/p" ? answerOf("refused", 403) : echo(request),
    );
    using client = await RawClient.to(server.port);
    const text = post("a body that nobody reads");
    client.send(text.slice(0, -5));
    await client.endsWith(wire("refused", "403 Forbidden"));
    await client.send(text.slice(-5) + get("/next")).endsWith(wire("GET /next "));
  });

  test("a client that waits for a word gets it when its body is wanted, once", async () => {
    using server = listening(async (request) => {
      const first = request.body();
      await request.body();
      return answerOf(textOf(await first));
    });
    using client = await RawClient.to(server.port);
    const text = post("body", "Expect: 100-continue");
    await client.send(text.slice(0, -4)).endsWith("HTTP/1.1 100 Continue\r\n\r\n");
    await client.send("body").endsWith(wire("body"));
    expect(client.statuses).toEqual([100, 200]);
    // It did not wait.
    await client.send(text).answered(3);
    expect(client.statuses).toEqual([100, 200, 200]);
  });

  test("where it is not wanted, the connection ends: the client may never send it", async () => {
    using server = listening(async () => answerOf("refused", 403));
    using client = await RawClient.to(server.port);
    await client.send(post("body", "Expect: 100-continue").slice(0, -4)).ended();
    expect(client.text).toBe(last("refused", "403 Forbidden"));
  });

  test("of a client that leaves before its end rejects", async () => {
    const failures: string[] = [];
    using server = listening(async (request) => {
      for (let time = 0; time < 2; time += 1) {
        await request.body().catch((error: Error) => void failures.push(error.message));
      }
      return answerOf("");
    });
    const client = await RawClient.to(server.port);
    client.send(post("body").slice(0, -1));
    client.socket.end();
    await eventually("two rejections", () => failures.length === 2);
    expect(failures).toEqual(["ECONNRESET", "ECONNRESET"]);
  });
});

describe("the room of a body", () => {
  test("is asked for as it grows: without it, the request is rejected and its client told", async () => {
    const asked: number[] = [];
    let failure = "";
    const grow = (bytes: number) => asked.push(bytes) < 3;
    using server = listening(async ({ body }) => {
      await body(grow).catch((error: Error) => (failure = error.message));
      return answerOf("");
    });
    using client = await RawClient.to(server.port);
    const [head = "", text = ""] = post("abcdef").split("\r\n\r\n");
    // Bytes that come together with the head are there before anybody asks.
    client.send(`${head}\r\n\r\n${text.slice(0, 3)}`);
    for (const [at, piece] of text.slice(3).split("").entries()) {
      await Bun.sleep(20);
      client.send(piece);
      await eventually("the piece", () => asked.length > at);
    }
    await client.ended();
    expect(client.text).toBe(last("RequestFault", "503 Service Unavailable"));
    expect([asked, failure]).toEqual([[4, 5, 6], "ECONNRESET"]);
  });

  test("is bounded for one that is dropped too", async () => {
    using server = listening(async () => answerOf("refused", 403));
    using client = await RawClient.to(server.port);
    client.send("POST /p HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
    await client.endsWith(wire("refused", "403 Forbidden"));
    const chunk = Buffer.concat(chunkOf(new Uint8Array(8 * 1024 * 1024)));
    for (let time = 0; time < 9; time += 1) client.send(chunk);
    await client.ended();
    expect(client.statuses).toEqual([403]);
  });
});

describe("an answer that is made while it is sent", () => {
  test("leaves piece by piece", async () => {
    const body = new Fed();
    using server = listening(streaming(body));
    using client = await RawClient.to(server.port);
    client.send(get("/a"));
    await client.endsWith("transfer-encoding: chunked\r\n\r\n");
    body.next("one");
    await client.endsWith("3\r\none\r\n");
    body.next("two");
    await client.endsWith("3\r\ntwo\r\n");
    body.next(undefined);
    await client.endsWith("0\r\n\r\n");
    expect([client.end, body.isLeft]).toEqual([undefined, false]);
  });

  test.each([
    ["in chunks", {}, "HTTP/1.1", "ended"],
    ["of known length", { "content-length": "9" }, "HTTP/1.1", "ended"],
    // Nothing but a broken connection says that there should be more.
    ["to a client of HTTP/1.0", {}, "HTTP/1.0", "broken"],
  ])("%s, and that breaks off, does not look whole", async (_, fields, version, end) => {
    const body = new Fed();
    using server = listening(async () => ({ status: 200, headers: new Headers(fields), body }));
    using client = await RawClient.to(server.port);
    client.send(`GET /a ${version}\r\nHost: localhost\r\n\r\n`);
    await client.answered(1);
    body.next("one");
    await eventually("the piece", () => client.text.includes("one"));
    body.fail();
    expect(await client.ended()).toBe(end as "ended");
    expect(client.text).not.toEndWith("0\r\n\r\n");
  });

  test.each(["destroy", "end", "resetAndDestroy"] as const)(
    "ends when its client leaves by %s",
    async (leave) => {
      const body = new Fed();
      let isLeft = false;
      using server = listening(async (request: ClientRequest) => {
        request.leaving.onLeave(() => void (isLeft = true));
        return streaming(body)(request);
      });
      const client = await RawClient.to(server.port);
      await client.send(get("/a")).answered(1);
      client.socket[leave]();
      await eventually("the client's leaving", () => isLeft && body.isLeft);
    },
  );

  test("one that begins when its client has left is left at once", async () => {
    const body = new Fed();
    const { promise, resolve } = Promise.withResolvers<void>();
    let isAsked = false;
    using server = listening(async (request) => {
      isAsked = true;
      await promise;
      return streaming(body)(request);
    });
    const client = await RawClient.to(server.port);
    client.send(get("/a"));
    await eventually("the request", () => isAsked);
    client.socket.destroy();
    resolve();
    await eventually("the end of the body", () => body.isLeft);
  });

  test("a client that does not read stops it", async () => {
    const piece = new Uint8Array(256 * 1024).fill(120);
    let made = 0;
    let sent = 0;
    const piecesMax = 400;
    using server = listening(
      streaming({
        read: async () => (made < piecesMax ? { value: ((made += 1), piece) } : { done: true }),
        sent: () => void (sent += 1),
        left: () => undefined,
      }),
    );
    using client = await RawClient.to(server.port);
    client.socket.pause();
    client.send(get("/a", "Connection: close"));
    let before = -1;
    await eventually("a pause", async () => {
      const isStill = before === made && made > 0;
      before = made;
      await Bun.sleep(50);
      return isStill;
    });
    expect(made).toBeLessThan(piecesMax);
    expect(made - sent).toBeLessThanOrEqual(1);
    client.socket.resume();
    await client.ended();
    expect([made, sent]).toEqual([piecesMax, piecesMax]);
  });
});

test("a client that goes on sending what was refused can still read why", async () => {
  using server = listening();
  using client = await RawClient.to(server.port);
  client.send(get("/a", `Content-Length: ${requestBytesMax + 1}`));
  for (let time = 0; time < 64; time += 1) client.send(new Uint8Array(64 * 1024));
  expect(await client.ended()).toBe("ended");
  expect(client.text).toEndWith("\r\n\r\nRequestFault");
});
