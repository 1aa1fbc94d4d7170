import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { conversationsMax } from "#transport/http/http-conversation.ts";
import { openExchangesMax } from "#transport/http/reject-requests.ts";
import { eachHome } from "../e2e/each-home.ts";
import { filesBelow, readRecords } from "../e2e/run.ts";
import { type Serving, startServe } from "../e2e/serving.ts";
import { has } from "../support/needs.ts";
import { memoryOf } from "../support/processes.ts";
import { pour, type RawAnswer, rawServer, times } from "../support/raw-server.ts";
import { call, initialize, textResult } from "../support/rpc.ts";
import { executable } from "../support/servers.ts";
import { slowIf } from "../support/slow-cases.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { requestBytesMax, heldRequestBytesMax } from "#transport/http/request-body.ts";

const megabyte = 2 ** 20;

const memoryMax = 200 * megabyte;

const home = eachHome();

const body = JSON.stringify(call(1, "x"));
const answered = JSON.stringify(textResult(1, "Hi"));

const head = (...lines: readonly string[]) =>
  `${["HTTP/1.1 200 OK", ...lines].join("\r\n")}\r\n\r\n`;

const json = (text: string, ...lines: readonly string[]) =>
  `${head("content-type: application/json", `content-length: ${text.length}`, ...lines)}${text}`;

const stream = head("content-type: text/event-stream", "connection: close");

async function ask(url: URL | string, init: RequestInit = {}) {
  const hash = createHash("sha256");
  let bytes = 0;
  try {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", body, headers, decompress: false, ...init });
    try {
      for await (const chunk of answer.body ?? []) {
        bytes += chunk.length;
        hash.update(chunk);
      }
    } catch {
      return { status: answer.status, bytes, hash: "broken" };
    }
    return { status: answer.status, bytes, hash: hash.digest("hex") };
  } catch {
    return { status: "broken", bytes, hash: "broken" };
  }
}

const records = () => readRecords(home.logs().filter((file) => file.includes("/sessions/")));

const outcomes = async () =>
  (await records()).flatMap(({ type, outcome }) => (type === "call" ? [outcome] : []));

async function endOf(serving: Serving): Promise<readonly string[]> {
  expect(await serving.end()).toBe(0);
  return serving.err.trimEnd().split("\n").slice(1);
}

const bombAnswer: RawAnswer = async (socket) => {
  const headers = ["content-type: application/json", "content-encoding: gzip"];
  socket.write(head(...headers, `content-length: ${bomb().length}`));
  await pour(socket, [bomb()]);
  socket.end();
};

const plain: RawAnswer = (socket) => socket.write(json(answered));

const ofAnother = (id: number) => JSON.stringify(textResult(id, "of another"));

const quiet = ["--summary", "off"];

const gated = [...quiet, "--budget", "x=10000M"];

describe("a hostile server", () => {
  const heads: readonly (readonly [string, RawAnswer])[] = [
    [
      "a head without end",
      async (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        await pour(socket, times(100_000, `X-Filler: ${"a".repeat(8_000)}\r\n`));
      },
    ],
    [
      "a header of 10 MB",
      async (socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-Long: ");
        await pour(socket, times(10, "a".repeat(megabyte)));
        socket.end(`\r\ncontent-length: 0\r\n\r\n`);
      },
    ],
    ["two lengths", (socket) => socket.end(`${head("content-length: 5", "content-length: 6")}{}`)],
    ["a negative length", (socket) => socket.end(`${head("content-length: -5")}{}`)],
    [
      "controls in a session id",
      (socket) => socket.end(json(answered, "mcp-session-id: a\u0001\u001b[31m")),
    ],
    [
      "a status that is none of HTTP",
      (socket) => socket.end(json(answered).replace("200 OK", "999 Odd")),
    ],
    ["interim answers alone", (socket) => socket.end("HTTP/1.1 103 Early Hints\r\n\r\n")],
    ["another protocol", (socket) => socket.end("220 mail.example ESMTP\r\n\r\n")],
    [
      "an upgrade that nobody wanted",
      (socket) => socket.end("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nx"),
    ],
  ];
  for (const [name, answer] of heads) {
    test.each([
      ["", quiet],
      [" behind a budget (slow)", gated],
    ])(
      `row 130: ${name} → 502, one failed call, and the next request is answered%s`,
      async (_, words) => {
        let count = 0;
        using server = await rawServer((socket, request) =>
          (count += 1) === 1 ? answer(socket, request) : socket.write(json(answered)),
        );
        using serving = await startServe(home, server.url, words);
        const [bad, good] = [await ask(serving.url), await ask(serving.url)];
        expect([bad.status, good.status]).toEqual([502, 200]);
        expect(memoryOf(serving.child.pid).peak).toBeLessThan(memoryMax);
        const [notice = "", ...more] = await endOf(serving);
        expect(notice).toMatch(/^mcp-meter: Cannot (?:reach|read the answer from) /);
        expect(notice).toContain(`${server.url}: `);
        expect(more).toEqual([]);
        expect(await outcomes()).toEqual(["rpc_error", "ok"]);
      },
    );
  }

  const bodies: readonly (readonly [string, RawAnswer, outcome: string])[] = [
    [
      "a length that is too large",
      (socket) => socket.end(json(answered).replace(/length: \d+/, "length: 999")),
      "abandoned",
    ],
    [
      "chunks that are none",
      (socket) =>
        socket.end(
          `${head("content-type: application/json", "transfer-encoding: chunked")}zz\r\n${answered}`,
        ),
      "abandoned",
    ],
    [
      "a length that is too small",
      (socket) => socket.end(json(answered).replace(/length: \d+/, "length: 9")),
      "abandoned",
    ],
    ["no body where an answer must be", (socket) => socket.end(json("")), "abandoned"],
    ["a stream that ends at once", (socket) => socket.end(stream), "abandoned"],
    [
      "interim answers before it",
      (socket) =>
        socket.end(
          `${"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(1000)}${json(answered)}`,
        ),
      "ok",
    ],
    ["HTTP/1.0", (socket) => socket.end(json(answered).replace("1.1", "1.0")), "ok"],
    [
      "a session id of half a megabyte",
      (socket) => socket.end(json(answered, `mcp-session-id: ${"s".repeat(megabyte / 2)}`)),
      "ok",
    ],
    [
      "brackets, two million deep",
      (socket) =>
        socket.end(json(`{"jsonrpc":"2.0","id":1,"result":${"[".repeat(2e6)}${"]".repeat(2e6)}}`)),
      "ok",
    ],
    [
      "events that are not valid UTF-8",
      (socket) => {
        socket.write(stream);
        socket.write(Uint8Array.of(...Buffer.from("data: "), 0xff, 0xfe, 0xc3, 0x28, 10, 10));
        socket.end(`data: ${answered}\n\n`);
      },
      "ok",
    ],
    [
      "an event of 100 MiB in one line (slow)",
      async (socket) => {
        socket.write(
          `${stream}data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"`,
        );
        await pour(socket, times(100, "a".repeat(megabyte)));
        socket.end(`"}]}}\n\n`);
      },
      "ok",
    ],
    [
      "comments without end (slow)",
      async (socket) => {
        socket.write(stream);
        await pour(socket, times(40, ": keep\n".repeat(megabyte / 7)));
        socket.write(": ");
        await pour(socket, times(40, "a".repeat(megabyte)));
        socket.end(`\n\ndata: ${answered}\n\n`);
      },
      "ok",
    ],
    ["a compressed answer of a gigabyte", bombAnswer, "abandoned"],
  ];
  for (const [name, answer, outcome] of bodies) {
    const mark = slowIf(answer === bombAnswer);
    test(`row 131: ${name}, behind a budget${mark} → the same bytes or 502, memory bounded`, async () => {
      using server = await rawServer(answer);
      using serving = await startServe(home, server.url, gated);
      const [through, direct] = [await ask(serving.url), await ask(server.url)];
      expect([direct.hash, 502]).toContain(through.status === 502 ? 502 : through.hash);
      expect(memoryOf(serving.child.pid).peak).toBeLessThan(memoryMax);
      expect(await endOf(serving)).toEqual([]);
      expect(await outcomes()).toEqual([outcome]);
    });

    test(`row 131: ${name}${mark} → the same bytes as without serve, memory bounded, ${outcome}`, async () => {
      using server = await rawServer(answer);
      using serving = await startServe(home, server.url, quiet);
      const [through, direct] = [await ask(serving.url), await ask(server.url)];
      expect(through.hash).toBe(direct.hash);
      expect(memoryOf(serving.child.pid).peak).toBeLessThan(memoryMax);
      expect(await endOf(serving)).toEqual([]);
      expect(await outcomes()).toEqual([outcome]);
    });
  }

  test("row 132: thousands of sessions, and ids that change → bounded, each a session of records (slow)", async () => {
    let count = 0;
    using server = await rawServer((socket) => {
      count += 1;
      const text = JSON.stringify({
        jsonrpc: "2.0",
        id: "init",
        result: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          serverInfo: { name: "many", version: "1" },
        },
      });
      socket.write(json(text, `mcp-session-id: s${count}`));
    });
    using serving = await startServe(home, server.url, ["--summary", "json"]);
    const begin = { body: JSON.stringify(initialize()) };
    const sessions = 3 * conversationsMax;
    for (let at = 0; at < sessions; at += 50) {
      await Promise.all(Array.from({ length: 50 }, () => ask(serving.url, begin)));
    }
    const headers = { "mcp-session-id": "x".repeat(8_000) };
    expect((await ask(serving.url, { headers })).status).toBe(200);
    expect(memoryOf(serving.child.pid).peak).toBeLessThan(memoryMax);
    expect(await serving.end()).toBe(0);
    const all = await records();
    const ends = all.filter(({ type }) => type === "end");
    expect(new Set(ends.map(({ session_id: id }) => id)).size).toBe(sessions + 1);
    const kept = home.logs().map((file) => readFileSync(file, "utf8"));
    expect(kept.join("")).not.toContain("xxxxxxxx");
  });

  test("row 133: answers with ids of others → pass, and are no answer to anything", async () => {
    using server = await rawServer((socket, request) =>
      socket.end(request.includes('"id":1') ? json(ofAnother(2)) : json(ofAnother(1))),
    );
    using serving = await startServe(home, server.url, ["--summary", "json"]);
    for (const id of [1, 2]) {
      expect((await ask(serving.url, { body: JSON.stringify(call(id, "x")) })).status).toBe(200);
    }
    expect(await serving.end()).toBe(0);
    const summary = JSON.parse(serving.err.slice(serving.err.indexOf("{")));
    expect(await outcomes()).toEqual(["abandoned", "abandoned"]);
    expect(summary.unknown_answers).toBe(2);
  });
});

const bomb = (() => {
  let made: Uint8Array | undefined;
  return () => (made ??= gzipSync(Buffer.alloc(1024 * megabyte)));
})();

async function opened(url: URL, text: string): Promise<Socket> {
  const socket = connect(Number(url.port), "127.0.0.1");
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
  return socket;
}

function told(url: URL, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(url.port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (bytes) => (answer += bytes.toString("latin1")));
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(answer));
  });
}

const lines = (...all: readonly string[]) =>
  `${["POST /mcp HTTP/1.1", "Host: 127.0.0.1", ...all].join("\r\n")}\r\n\r\n`;

describe("hostile clients", () => {
  test("row 134: a thousand heads that never end → others are served", async () => {
    using server = await rawServer(plain);
    using serving = await startServe(home, server.url, quiet);
    const slow = await Promise.all(
      Array.from({ length: 1000 }, () =>
        opened(serving.url, "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: "),
      ),
    );
    expect((await ask(serving.url)).status).toBe(200);
    expect(memoryOf(serving.child.pid).peak).toBeLessThan(memoryMax);
    for (const socket of slow) socket.destroy();
    expect(await endOf(serving)).toEqual([]);
    expect(await outcomes()).toEqual(["ok"]);
  });

  test("row 134: bodies that never come → one more than the limit is refused, until they leave", async () => {
    using server = await rawServer(plain);
    using serving = await startServe(home, server.url, quiet);
    const half = await Promise.all(
      Array.from({ length: openExchangesMax }, () =>
        opened(serving.url, `${lines("Content-Length: 100")}{`),
      ),
    );
    await eventually("a refusal", async () => (await ask(serving.url)).status === 503);
    for (const socket of half) socket.destroy();
    await eventually("room again", async () => (await ask(serving.url)).status === 200);
    expect(await endOf(serving)).toEqual([]);
  });

  test("row 134: long bodies of many at once → some are refused, memory bounded, and others are served (slow)", async () => {
    using server = await rawServer(plain);
    using serving = await startServe(home, server.url, quiet);
    const long = lines(`Content-Length: ${requestBytesMax}`);
    const sockets = await Promise.all(Array.from({ length: 24 }, () => opened(serving.url, long)));
    const half = Buffer.alloc(requestBytesMax / 2, "a");
    await Promise.all(sockets.map((socket) => pour(socket, [half])));
    expect((await ask(serving.url)).status).toBe(200);
    expect((await ask(serving.url, { body: Buffer.alloc(2 * megabyte, "a") })).status).toBe(503);
    expect(memoryOf(serving.child.pid).now).toBeLessThan(2 * heldRequestBytesMax);
    for (const socket of sockets) socket.destroy();
    await eventually("room again", async () => {
      return (await ask(serving.url, { body: Buffer.alloc(2 * megabyte, "a") })).status === 200;
    });
    expect(await endOf(serving)).toEqual([]);
  });

  test("row 134: garbage → refused, and nothing is forwarded", async () => {
    using server = await rawServer(plain);
    using serving = await startServe(home, server.url, quiet);
    const garbage = [
      `${lines("Transfer-Encoding: chunked")}zz\r\nabc\r\n`,
      `${lines("Content-Length: 5", "Transfer-Encoding: chunked")}0\r\n\r\n`,
      "\u0000\u0001hello\r\n\r\n",
      lines(`X: ${"a".repeat(megabyte)}`),
    ];
    for (const text of garbage) expect(await told(serving.url, text)).toMatch(/^HTTP\/1\.1 4\d\d /);
    const one = `${lines(`Content-Length: ${body.length}`, "Connection: close")}${body}`;
    expect(await told(serving.url, one)).toContain("200 OK");
    expect(server.requests).toHaveLength(1);
    expect(await endOf(serving)).toEqual([]);
  });

  test("row 134: requests behind others on their connection → none is sent twice, and others are served", async () => {
    using server = await rawServer(plain);
    using serving = await startServe(home, server.url, quiet);
    const length = `Content-Length: ${body.length}`;
    const last = `${lines(length, "Connection: close")}${body}`;
    const all = await told(serving.url, `${lines(length)}${body}`.repeat(9) + last);
    // The runtime closes such a connection.
    expect(all.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0).toBeLessThan(2);
    expect(server.requests.length).toBeLessThan(2);
    expect((await ask(serving.url)).status).toBe(200);
    expect(await endOf(serving)).toEqual([]);
  });
});

describe("goodbyes", () => {
  test("a session that ends right after its call has all of its records", async () => {
    using server = await rawServer((socket, request) => {
      const session = "mcp-session-id: s";
      if (request.startsWith("DELETE")) socket.write("HTTP/1.1 204 No Content\r\n\r\n");
      else socket.write(json(answered, ...(request.includes("initialize") ? [session] : [])));
    });
    using serving = await startServe(home, server.url, quiet);
    const headers = { "mcp-session-id": "s", "content-type": "application/json" };
    const count = 20;
    for (let at = 0; at < count; at += 1) {
      await ask(serving.url, { body: JSON.stringify(initialize()) });
      await ask(serving.url, { headers });
      const goodbye = { method: "DELETE", headers, body: null };
      expect((await ask(serving.url, goodbye)).status).toBe(204);
    }
    expect(await endOf(serving)).toEqual([]);
    expect(await outcomes()).toEqual(Array.from({ length: count }, () => "ok"));
    expect((await records()).filter(({ type }) => type === "end")).toHaveLength(count);
  });

  test("bodies that an answer may not have keep no connection of the server", async () => {
    let open = 0;
    using server = await rawServer((socket) => {
      open += 1;
      socket.on("close", () => (open -= 1));
      socket.write("HTTP/1.1 205 Reset Content\r\n\r\nand more to come");
    });
    using serving = await startServe(home, server.url, quiet);
    for (let at = 0; at < 20; at += 1) expect((await ask(serving.url)).status).toBe(205);
    await eventually("their end", () => open === 0);
    expect(await endOf(serving)).toEqual([]);
  });
});

async function play(serving: Serving, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const headers = { "mcp-session-id": `s${at % 7}`, "content-type": "application/json" };
    expect(await ask(serving.url, { headers })).toMatchObject({
      status: 200,
      bytes: answered.length,
    });
  }
}

describe("records that cannot be written", () => {
  test.if(has("unshare -m", "row 135 (a full disk)"))(
    "row 135: a full disk → the same answers, one line, and the number of lost records",
    async () => {
      using server = await rawServer(plain);
      const folder = join(home.path, "small");
      mkdirSync(folder);
      const mount = 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"';
      const words = [
        executable(),
        "serve",
        "--url",
        server.url,
        "--log",
        join(folder, "log.ndjson"),
      ];
      using started = new StartedProcess(
        ["unshare", "-m", "sh", "-c", mount, folder, ...words],
        home.env,
      );
      const serving = Object.assign(started, { url: new URL(await started.firstLine()) });
      await play(serving, 400);
      expect(await serving.end()).toBe(0);
      expect(serving.err).toMatch(/x +400 /);
      const [, dropped] = /Dropped ([\d,]+) records: /.exec(serving.err) ?? [];
      expect(serving.err).toContain(`${dropped} records not written to disk`);
      expect(serving.err.match(/^mcp-meter: Dropped/gm)).toHaveLength(1);
    },
  );

  test("row 135: a folder that cannot be written → the same answers and one line", async () => {
    using server = await rawServer(plain);
    const state = join(home.path, "state");
    writeFileSync(state, "a file in its place");
    using serving = await startServe(home, server.url, quiet);
    await play(serving, 20);
    const said = await endOf(serving);
    expect(said).toHaveLength(1);
    expect(readFileSync(state, "utf8")).toBe("a file in its place");
    chmodSync(state, 0o600);
    expect(filesBelow(home.path)).toEqual([state]);
  });
});
