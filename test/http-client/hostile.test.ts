// The client of HTTP against servers that break off anywhere: no part looks whole, and each answer belongs to its request.
import { describe, expect, test } from "bun:test";
import { createServer, type Server, type Socket } from "node:net";
import { once } from "node:events";
import { Connections } from "#http-client/connections.ts";
import { Leaving } from "#http1/leaving.ts";
import { bytesOf, textOf } from "../support/bytes.ts";
import { drained } from "../support/chunked.ts";

type Serve = (socket: Socket, body: string) => void;

/** A server that answers each whole request by `serve`, and the connections to it. */
class World implements AsyncDisposable {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #connections: Connections | undefined;
  serve: Serve;

  constructor(serve: Serve) {
    this.serve = serve;
  }

  async start(): Promise<this> {
    const server = createServer({ noDelay: true }, (socket) => this.#read(socket));
    this.#server = server;
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("it has no port");
    this.#port = address.port;
    this.#connections ??= new Connections(this.#url, () => performance.now());
    return this;
  }

  /** Ends the server with its connections, which rest. */
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = this.#server && once(this.#server, "close");
    this.#server?.close();
    await closed;
  }

  /** The text of the answer, how it ended, or the code of an error. */
  async ask(text: string, leaving = new Leaving()): Promise<string> {
    try {
      const request = { method: "POST", url: this.#url, headers: new Headers(), leaving };
      const answer = await this.#connections?.ask({ ...request, body: bytesOf(text) });
      if (!answer?.body) return "no body";
      const [bytes, isWhole] = await drained(answer.body);
      return `${isWhole ? "whole" : "broken"} ${textOf(bytes)}`;
    } catch (error) {
      return error instanceof Error && "code" in error ? String(error.code) : "no code";
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connections?.close();
    await this.stop();
  }

  get #url(): URL {
    return new URL(`http://127.0.0.1:${this.#port}/mcp`);
  }

  #read(socket: Socket): void {
    let text = "";
    this.#sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const head = text.indexOf("\r\n\r\n") + 4;
      const length = Number(/^content-length: (\d+)/m.exec(text)?.[1] ?? 0);
      if (head < 4 || text.length < head + length) return;
      const body = text.slice(head, head + length);
      text = text.slice(head + length);
      this.serve(socket, body);
    });
  }
}

const ok = "HTTP/1.1 200 OK\r\n";
const byLength = (text: string) => `${ok}content-length: ${text.length}\r\n\r\n${text}`;

const inChunks = (text: string, size: number) => {
  const chunks = text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)};x=y\r\n${chunk}\r\n`);
  return `${ok}transfer-encoding: chunked\r\n\r\n${framed.join("")}0\r\nT: x\r\n\r\n`;
};

describe("an answer that breaks off behind any of its bytes", () => {
  test.each([
    ["by its length", byLength("body")],
    ["in chunks", inChunks("a body", 4)],
    ["after another one", `HTTP/1.1 103 Early Hints\r\n\r\n${byLength("body")}`],
  ])("%s: does not look whole", async (_, answer) => {
    let count = 0;
    let isReset = false;
    await using world = await new World((socket) => {
      socket.write(answer.slice(0, count));
      if (isReset) setTimeout(() => socket.resetAndDestroy(), 1);
      else socket.end();
    }).start();
    for (isReset of [false, true]) {
      for (count = 0; count < answer.length; count += 1)
        expect(await world.ask("{}")).not.toStartWith("whole");
    }
    isReset = false;
    expect(await world.ask("{}")).toStartWith("whole");
  });

  test("one that ends with its connection is broken where that is reset", async () => {
    await using world = await new World((socket) => {
      socket.write(`${ok}\r\npart`);
      setTimeout(() => socket.resetAndDestroy(), 1);
    }).start();
    expect(await world.ask("{}")).toBe("broken part");
  });
});

/** Numbers below 1, the same ones in each run. */
function draws(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
}

describe("many requests at a time", () => {
  test("each answer belongs to its request, which runs once, whatever breaks", async () => {
    const draw = draws();
    const runs: string[] = [];
    await using world = await new World((socket, id) => {
      runs.push(id);
      const text = `${id} ${"x".repeat(draw() * 3_000)} ${id}`;
      const answer = draw() < 0.5 ? byLength(text) : inChunks(text, 1 + Math.floor(draw() * 900));
      const fault = draw();
      const cut = fault < 0.08 ? draw() * answer.length : answer.length;
      socket.write(answer.slice(0, cut / 2));
      setImmediate(() => {
        socket.write(answer.slice(cut / 2, cut));
        if (fault < 0.04) socket.resetAndDestroy();
        else if (fault < 0.12) socket.end();
      });
    }).start();
    let next = 0;
    const wrong: string[] = [];
    let whole = 0;
    const work = async (): Promise<void> => {
      while (next < 2_000) {
        const id = `id${(next += 1)}`;
        const leaving = new Leaving();
        if (draw() < 0.02) setTimeout(() => leaving.leave(), draw() * 3);
        const answer = await world.ask(id, leaving);
        if (!answer.startsWith("whole")) continue;
        if (answer.startsWith(`whole ${id} `) && answer.endsWith(` ${id}`)) whole += 1;
        else wrong.push(`${id}: ${answer.slice(0, 40)}`);
      }
    };
    await Promise.all(Array.from({ length: 32 }, work));
    expect(wrong).toEqual([]);
    expect(whole).toBeGreaterThan(1_000);
    expect(new Set(runs).size).toBe(runs.length);
  });

  test("a server that starts again on its port gets the next call, once", async () => {
    let runs = 0;
    await using world = await new World((socket, id) => {
      runs += 1;
      socket.write(byLength(id));
    }).start();
    for (let at = 0; at < 5; at += 1) {
      expect(await world.ask("before")).toBe("whole before");
      await world.stop();
      await world.start();
      // The ends of the connections have come.
      await Bun.sleep(5);
      expect(await world.ask("after")).toBe("whole after");
    }
    expect(runs).toBe(10);
  });
});
