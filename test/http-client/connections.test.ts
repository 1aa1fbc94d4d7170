import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { Connections } from "#http-client/connections.ts";
import type { OutgoingRequest, ServerAnswer } from "#http-client/answer.ts";
import type { HttpFault } from "#http1/http-fault.ts";
import { Leaving } from "#http1/leaving.ts";
import { idleConnectionMaxMs, unsaidCloseMs } from "#limits/http.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { drained } from "../support/chunked.ts";
import { eventually } from "../support/wait.ts";

/** Called with each request that has come whole, and the number of its connection, which begins with 1. */
type OnRequest = (socket: Socket, connection: number, head: string) => void;

const ok = (text: string, ...fields: readonly string[]) =>
  `${["HTTP/1.1 200 OK", `content-length: ${text.length}`, ...fields].join("\r\n")}\r\n\r\n${text}`;

let server: Server;
let sockets: Socket[];
let onRequest: OnRequest;
let nowMs: number;
let connections: Connections;

beforeEach(async () => {
  sockets = [];
  nowMs = 0;
  onRequest = (socket, connection) => socket.write(ok(`from ${connection}`));
  server = createServer((socket) => {
    sockets.push(socket);
    const number = sockets.length;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      const text = bytes.toString("latin1");
      if (/^[A-Z]+ \//.test(text)) onRequest(socket, number, text);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  connections = new Connections(new URL(url()), () => nowMs);
});

afterEach(() => {
  connections.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

function url(): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it has no port");
  return `http://127.0.0.1:${address.port}/mcp`;
}

function requestOf(more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  const body = bytesOf("{}");
  const target = new URL(url());
  return {
    method: "POST",
    url: target,
    headers: new Headers(),
    body,
    leaving: new Leaving(),
    ...more,
  };
}

async function textIn({ body }: ServerAnswer): Promise<string> {
  if (!body) return "no body";
  const [bytes, isWhole] = await drained(body);
  return `${textOf(bytes)}${isWhole ? "" : " (broke)"}`;
}

const ask = async (more?: Partial<OutgoingRequest>) =>
  textIn(await connections.ask(requestOf(more)));

describe("Connections", () => {
  test("a connection carries the next request, and one at a time", async () => {
    expect([await ask(), await ask()]).toEqual(["from 1", "from 1"]);
    const both = await Promise.all([ask(), ask()]);
    expect(both.toSorted()).toEqual(["from 1", "from 2"]);
  });

  test.each([
    ["that the server closes afterwards", ok("a", "connection: close")],
    ["of HTTP/1.0", ok("a").replace("1.1", "1.0")],
    ["with bytes that nobody asked for", `${ok("a")}more`],
    ["with a status that has no body, and a body", `HTTP/1.1 204 No\r\ncontent-length: 1\r\n\r\n`],
    ["whose time is over at once", ok("a", "keep-alive: timeout=1")],
  ])("one %s carries no other request", async (_, answer) => {
    onRequest = (socket, connection) => socket.write(connection === 1 ? answer : ok("b"));
    const first = await ask();
    expect([first.replace("no body", "a"), await ask()]).toEqual(["a", "b"]);
    expect(sockets).toHaveLength(2);
  });

  test("one that rested for long carries no other request, and less where the server says so", async () => {
    await ask();
    nowMs += idleConnectionMaxMs - 1;
    expect(await ask()).toBe("from 1");
    nowMs += idleConnectionMaxMs;
    expect(await ask()).toBe("from 2");
    onRequest = (socket, connection) =>
      socket.write(ok(`from ${connection}`, "keep-alive: timeout=3"));
    await ask();
    nowMs += 1_999;
    expect(await ask()).toBe("from 2");
    nowMs += 2_000;
    expect(await ask()).toBe("from 3");
    await eventually("the end of both", () => sockets.filter((one) => one.destroyed).length === 2);
  });

  test("one that the server closed, or filled with bytes, while it rested is not used", async () => {
    for (const [connection, end] of [
      [2, (socket: Socket) => void socket.end()],
      [4, (socket: Socket) => void socket.write(ok("nobody asked"))],
      [6, (socket: Socket) => void socket.resetAndDestroy()],
    ] as const) {
      await ask();
      const last = sockets.at(-1);
      if (last) end(last);
      await eventually("its end", () => last?.destroyed === true);
      // The end has come here too.
      await Bun.sleep(5);
      expect(await ask()).toBe(`from ${connection}`);
      nowMs += unsaidCloseMs;
    }
  });

  test("a call that a kept connection does not answer is not sent again; other requests are, once", async () => {
    onRequest = (socket, connection, head) => {
      if (connection % 2 === 1 && head.includes("x-second")) socket.destroy();
      else socket.write(ok(`from ${connection}`));
    };
    const headers = new Headers({ "x-second": "1" });
    await ask();
    await expect(connections.ask(requestOf({ headers }))).rejects.toMatchObject({
      code: "ECONNRESET",
    });
    await eventually("its end", () => sockets[0]?.destroyed === true);
    nowMs += unsaidCloseMs + 1;
    await ask();
    await ask();
    expect(sockets).toHaveLength(2);
    onRequest = (socket, connection) =>
      connection === 2 ? socket.destroy() : void socket.write(ok(`from ${connection}`));
    expect(await ask({ method: "GET", body: undefined })).toBe("from 3");
  });

  test("the reasons why there is no answer", async () => {
    const answers: readonly (readonly [string | undefined, string])[] = [
      [undefined, "ECONNRESET"],
      ["HTTP/1.1 200", "ECONNRESET"],
      ["SSH-2.0-OpenSSH\r\n\r\n", "HPE_INVALID_ANSWER"],
    ];
    for (const [answer, code] of answers) {
      onRequest = (socket) => void socket.end(answer ?? "");
      await expect(connections.ask(requestOf())).rejects.toMatchObject({ code });
    }
    const nobody = new Connections(new URL("http://127.0.0.1:1/"), () => 0);
    await expect(nobody.ask(requestOf())).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  test("who leaves ends the connection: before the answer, in its body, and before it is open", async () => {
    onRequest = () => undefined;
    const leaving = new Leaving();
    const waiting = connections.ask(requestOf({ leaving }));
    await eventually("the request", () => sockets.length === 1);
    leaving.leave();
    await expect(waiting).rejects.toMatchObject({ code: "ECONNRESET" });
    await eventually("the end", () => sockets[0]?.destroyed === true);

    onRequest = (socket) => void socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\npart`);
    const second = new Leaving();
    const answer = await connections.ask(requestOf({ leaving: second }));
    second.leave();
    expect(await textIn(answer)).toBe("part (broke)");
    await eventually("the end", () => sockets[1]?.destroyed === true);

    const third = new Leaving();
    const opening = connections.ask(requestOf({ leaving: third }));
    third.leave();
    await expect(opening).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("who leaves does not wait for a connection that does not open", async () => {
    using connect = spyOn(Bun, "connect");
    connect.mockReturnValue(Promise.withResolvers<Bun.Socket<unknown>>().promise);
    const leaving = new Leaving();
    const reasons: unknown[] = [];
    void ask({ leaving }).catch((error: HttpFault) => reasons.push(error.code));
    leaving.leave();
    await eventually("the end", () => reasons.length > 0);
    expect(reasons).toEqual(["ECONNRESET"]);
  });

  test("who leaves after the end does not touch the request that follows on the connection", async () => {
    const leaving = new Leaving();
    await ask({ leaving });
    onRequest = (socket) => setTimeout(() => socket.write(ok("late")), 20);
    const next = ask();
    await Bun.sleep(5);
    leaving.leave();
    expect(await next).toBe("late");
    expect(sockets).toHaveLength(1);
  });

  test("a long request arrives whole, and an answer before its end is the answer", async () => {
    const body = new Uint8Array(8 * 1024 * 1024).fill(97);
    const got = Promise.withResolvers<number>();
    let bytes = 0;
    onRequest = (socket, connection, head) => {
      if (connection === 2) return void socket.write(ok("too much"));
      bytes = head.length - head.indexOf("\r\n\r\n") - 4;
      socket.on("data", (more) => {
        // The first piece was counted with its head.
        if (more.toString("latin1", 0, 4) !== "POST") bytes += more.length;
        if (bytes === body.length) got.resolve(bytes);
      });
      void got.promise.then(() => socket.write(ok("all of it", "connection: close")));
    };
    expect(await ask({ body })).toBe("all of it");
    expect(await ask({ body })).toBe("too much");
    onRequest = (socket, connection) => socket.write(ok(`from ${connection}`));
    expect(await ask()).toBe("from 3");
  });

  test("a slow reader holds the server back, and gets every byte, also when the server is gone by then", async () => {
    const all = Buffer.alloc(24 * 1024 * 1024, "0123456789abcdef");
    onRequest = (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n`);
      socket.end(all);
    };
    const { body } = await connections.ask(requestOf());
    if (!body) throw new Error("there is no body");
    await Bun.sleep(20);
    expect(sockets[0]?.writableLength ?? 0).toBeGreaterThan(0);
    const got: Uint8Array[] = [];
    for (let read = await body.read(); read.value; read = await body.read()) {
      got.push(read.value);
      if (got.length % 8 === 0) await Bun.sleep(1);
    }
    expect(Buffer.concat(got).equals(all)).toBe(true);
  });

  test("after one that the server closed without a word, others rest for half as long, for a minute", async () => {
    await ask();
    nowMs += 1_000;
    sockets[0]?.end();
    await eventually("its end", () => sockets[0]?.destroyed === true);
    await Bun.sleep(1);
    expect(await ask()).toBe("from 2");
    nowMs += 499;
    expect(await ask()).toBe("from 2");
    nowMs += 500;
    expect(await ask()).toBe("from 3");
    nowMs += unsaidCloseMs;
    expect(await ask()).toBe("from 4");
    nowMs += 500;
    expect(await ask()).toBe("from 4");
  });

  test("a server that closes each connection without a word loses one call at most", async () => {
    onRequest = (socket, connection) => {
      socket.write(ok(`from ${connection}`));
      setImmediate(() => socket.end());
    };
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers).toHaveLength(3);
    const outcomes: unknown[] = [];
    for (let at = 0; at < 30; at += 1) outcomes.push(await ask().catch(() => "lost"));
    expect(outcomes.filter((outcome) => outcome === "lost").length).toBeLessThan(2);
  });

  test("all connections end with it", async () => {
    await ask();
    onRequest = () => undefined;
    const waiting = connections.ask(requestOf());
    await Bun.sleep(1);
    connections.close();
    await expect(waiting).rejects.toMatchObject({ code: "ECONNRESET" });
    await eventually("the end", () => sockets.every((socket) => socket.destroyed));
  });
});
