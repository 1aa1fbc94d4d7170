import type { OutgoingHttpHeaders } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "bun:test";
import { endpointPathsMax } from "#transport/http/redirects.ts";
import { DeferredCounters } from "../../../support/deferred-counters.ts";
import { type ScriptedAnswer, startScriptedServer } from "../../../support/scripted-http-server.ts";
import { type GatedSetting, gatedProxyTo } from "../../../support/gated-proxy.ts";
import {
  call,
  initialize,
  notification,
  request as ask,
  textResult,
} from "../../../support/rpc.ts";
import { eventually } from "../../../support/wait.ts";
import { lineObservedBytesMax } from "#kit/limits.ts";

const long = "word ".repeat(100);
const json = { "content-type": "application/json" };
const events = { "content-type": "text/event-stream" };
const session = { ...json, "mcp-session-id": "s" };

async function gated(answer: ScriptedAnswer, specs: readonly string[], setting?: GatedSetting) {
  const server = await startScriptedServer(answer);
  const proxied = gatedProxyTo(server.port, specs, setting);
  const post = async (message: unknown, init: RequestInit = {}) => {
    const body = JSON.stringify(message);
    const received = { method: "POST", body, headers: session, decompress: false, ...init };
    const response = await fetch(proxied.url, { redirect: "manual", ...received });
    const { status, headers } = response;
    return { status, headers, text: await response.text() };
  };
  return {
    ...proxied,
    post,
    got: server.got,
    calls: async () => {
      await proxied.conversations.close();
      return proxied.records.filter(({ type }) => type === "call");
    },
    [Symbol.dispose]: () => {
      proxied[Symbol.dispose]();
      server[Symbol.dispose]();
    },
  };
}

const gives =
  (status: number, headers: OutgoingHttpHeaders, body = ""): ScriptedAnswer =>
  (_got, response) =>
    void response.writeHead(status, headers).end(body);

const result = (text: string) => JSON.stringify(textResult(1, text));

describe("requests", () => {
  test("a refused call does not reach the server, and its answer has its id", async () => {
    using proxy = await gated((_got, response) => response.end(), ["x=0"]);
    const { status, headers, text } = await proxy.post(call(1, "x"));
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(JSON.parse(text)).toMatchObject({ id: 1, result: { isError: true } });
    expect(proxy.got).toEqual([]);
    expect(await proxy.calls()).toMatchObject([{ tool: "x", outcome: "refused" }]);
  });

  test("a refused notification has no answer", async () => {
    using proxy = await gated((_got, response) => response.end(), ["x=0"]);
    const { status, text } = await proxy.post(notification("tools/call", { name: "x" }));
    expect([status, text, proxy.got.length]).toEqual([202, "", 0]);
  });

  test("of a batch, the rest is forwarded, and refusals join its answer", async () => {
    for (const type of [json, events]) {
      using proxy = await gated(
        ({ body }, response) => {
          const ids: { readonly id: number }[] = JSON.parse(body.toString());
          const answers = JSON.stringify(ids.map(({ id }) => textResult(id, "Hi")));
          response.writeHead(200, type).end(type === json ? answers : `data: ${answers}\n\n`);
        },
        ["x=0"],
      );
      const { text } = await proxy.post([call(1, "y"), call(2, "x"), call(3, "y")]);
      expect(JSON.parse(proxy.got[0]?.body.toString() ?? "")).toHaveLength(2);
      const messages = (type === json ? [text] : text.split("\n"))
        .filter((block) => block !== "")
        .flatMap((block) => JSON.parse(block.replace("data: ", "")));
      expect(messages).toHaveLength(3);
      expect(messages).toContainEqual(textResult(3, "Hi"));
      expect(messages.find(({ id }) => id === 2)).toMatchObject({ result: { isError: true } });
    }
  });

  test("refusals answer a batch of which only notifications are left", async () => {
    using proxy = await gated(gives(202, {}), ["x=0"]);
    const { status, text } = await proxy.post([call(2, "x"), notification("notifications/x")]);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject([{ id: 2, result: { isError: true } }]);
  });

  test("a compressed request cannot be read, so it is not forwarded", async () => {
    using proxy = await gated((_got, response) => response.end(), ["x=0"]);
    const body = gzipSync(JSON.stringify(call(1, "x")));
    const headers = { ...session, "content-encoding": "gzip" };
    const { status, text } = await proxy.post(undefined, { body, headers });
    expect([status, proxy.got.length]).toEqual([415, 0]);
    expect(text).toContain("must be uncompressed");
  });

  test("a client that leaves a request which waits is not waited for, and nothing is forwarded", async () => {
    const shared = new DeferredCounters();
    using proxy = await gated((_got, response) => response.end(), ["9calls/day"], { shared });
    const leaving = new AbortController();
    const waiting = proxy.post(call(1, "x"), { signal: leaving.signal }).catch(() => "left");
    await eventually("the question", () => shared.waiting > 0);
    leaving.abort();
    expect(await waiting).toBe("left");
    await eventually("the record", () => proxy.records.some(({ type }) => type === "call"));
    shared.answer(proxy.answered);
    expect(await proxy.calls()).toMatchObject([{ outcome: "abandoned" }]);
    expect(proxy.got).toEqual([]);
  });
});

describe("answers", () => {
  test.each([
    ["JSON", 200, json, result(long)],
    ["a batch", 200, json, `[${result(long)}]`],
    ["an event", 200, events, `id: 7\ndata: ${result(long)}\n\n`],
    ["lines of data", 200, events, `data: ${result(long).replace(",", ",\ndata: ")}\n\n`],
    ["a rejection", 500, { "content-type": "text/html" }, `<p>${long}</p>`],
    ["a rejection of an unknown session", 404, json, result(long)],
    ["a rejection with an odd member", 400, json, `{"odd":"${long}",${result("Hi").slice(1)}`],
  ])("%s above the budget is withheld, status %d", async (_name, status, type, body) => {
    using proxy = await gated(gives(status, type, body), ["x=50"]);
    const received = await proxy.post(call(1, "x"));
    expect(received.status).toBe(status);
    expect(received.text).not.toContain("word word");
    expect(received.text).toContain("x ran, but its answer was withheld");
    expect(await proxy.calls()).toMatchObject([{ outcome: "refused" }]);
  });

  test.each([
    ["JSON", json, `{"jsonrpc":"2.0",\r\n "id":1 ,"result":{"content":[]}}\r\n`],
    ["a batch", json, ` [${result("Hi")} , {"jsonrpc":"2.0","method":"x"}]`],
    ["events", events, `: hi\r\rid: 1\rdata\r\revent: message\r\ndata: ${result("Hi")}\r\n\r\n`],
  ])("%s within the budget has the same bytes", async (_name, type, body) => {
    using proxy = await gated(gives(200, type, body), ["x=5000"]);
    const received = await proxy.post(call(1, "x"));
    expect([received.status, received.headers.get("content-type")]).toEqual([
      200,
      type["content-type"],
    ]);
    expect(received.text).toBe(body);
  });

  test("truncate leaves the beginning of an answer, and headers about its body go", async () => {
    const headers = { ...json, etag: '"1"', "x-own": "2" };
    using proxy = await gated(gives(200, headers, result(long)), ["x=60:truncate"]);
    const received = await proxy.post(call(1, "x"));
    expect(received.text).toContain("word word");
    expect(received.text.length).toBeLessThan(result(long).length);
    expect([received.headers.get("etag"), received.headers.get("x-own")]).toEqual([null, "2"]);
  });

  test("no coding is asked for; a coded answer is decoded, and one that cannot be is withheld", async () => {
    for (const [coding, isRead] of [
      ["gzip", true],
      ["gzip, br", false],
      ["nonsense", false],
    ] as const) {
      using proxy = await gated(
        ({ request }, response) => {
          expect(request.headers["accept-encoding"]).toBe("identity");
          response.writeHead(200, { ...json, "content-encoding": coding });
          response.end(gzipSync(result("Hi")));
        },
        ["x=5000"],
      );
      const received = await proxy.post(call(1, "x"));
      expect(received.headers.get("content-encoding")).toBeNull();
      expect(received.status).toBe(isRead ? 200 : 502);
      expect(received.text).toContain(isRead ? result("Hi") : "compressed its answer");
    }
  });

  test("an answer to another request is withheld, and an error says so", async () => {
    using proxy = await gated(gives(200, json, JSON.stringify(textResult(77, "Hi"))), ["x=5000"]);
    const received = await proxy.post(call(1, "x"));
    expect(received.status).toBe(502);
    expect(JSON.parse(received.text)).toMatchObject({ id: 1, error: { code: -31_901 } });
    expect(received.text).not.toContain("Hi");
  });

  test("an answer that breaks off is an error", async () => {
    using proxy = await gated(
      (_got, response) => {
        response.writeHead(200, { ...json, "content-length": "500" });
        response.write("{");
        setTimeout(() => response.destroy(), 5);
      },
      ["x=5000"],
    );
    const received = await proxy.post(call(1, "x"));
    expect([received.status, JSON.parse(received.text).error.message]).toEqual([
      502,
      "mcp-meter: The server's answer was cut off or could not be read",
    ]);
    expect(await proxy.calls()).toMatchObject([{ outcome: "abandoned" }]);
  });

  test("an answer that is longer than memory holds passes byte for byte, or is withheld", async () => {
    const body = result("w".repeat(lineObservedBytesMax));
    for (const [spec, passes] of [
      ["x=9calls/session", true],
      ["x=5000", false],
    ] as const) {
      for (const [type, text] of [
        [json, body],
        [events, `data: ${body}\n\n`],
      ] as const) {
        using proxy = await gated(gives(200, type, text), [spec]);
        const received = await proxy.post(call(1, "x"));
        expect([spec, received.text === text]).toEqual([spec, passes]);
        if (!passes) expect(received.text).not.toContain("www");
      }
    }
  });

  test("an answer that is longer than memory holds is joined by the refusals of its batch", async () => {
    const body = result("w".repeat(lineObservedBytesMax));
    for (const [type, text] of [
      [json, body],
      [events, `data: ${body}\n\n`],
    ] as const) {
      using proxy = await gated(gives(200, type, text), ["y=0"]);
      const received = await proxy.post([call(1, "x"), call(2, "y")]);
      expect(received.text.includes(body)).toBe(true);
      expect(received.text.replace(body, "")).toContain('"id":2');
      if (type === json) expect(JSON.parse(received.text)).toHaveLength(2);
      expect(await proxy.calls()).toMatchObject([{ outcome: "refused" }, { outcome: "ok" }]);
    }
  });

  test("a redirected call is one call, which counts once, with limits and without", async () => {
    for (const specs of [["x=1calls/session"], []]) {
      using proxy = await gated(({ request }, response) => {
        if (request.url === "/mcp") response.writeHead(307, { location: "/mcp/new" }).end();
        else response.writeHead(200, json).end(result("Hi"));
      }, specs);
      const received = await proxy.post(call(1, "x"), { redirect: "follow" });
      expect(received.text).toContain("Hi");
      expect(await proxy.calls()).toMatchObject([{ tool: "x", outcome: "ok" }]);
    }
  });

  test("a message to a path that is not metered is not forwarded, and that is reported once", async () => {
    using proxy = await gated(gives(200, json, result("Hi")), ["x=0"]);
    const postTo = (path: string, body: string) =>
      fetch(new URL(path, proxy.url), { method: "POST", body, headers: json });
    const refused = await postTo("/other", JSON.stringify(call(1, "x")));
    expect(refused.status).toBe(502);
    expect(await refused.json()).toMatchObject({ id: 1, error: { code: -31_901 } });
    await postTo("/more", JSON.stringify(call(1, "x")));
    expect(proxy.got).toEqual([]);
    expect((await postTo("/register", '{"client_name":"x"}')).status).toBe(200);
    expect(proxy.sentences.filter((sentence) => sentence.includes("which is not metered"))).toEqual(
      [
        'A message was sent to /other, which is not metered: give the client the address that "mcp-meter serve" prints',
      ],
    );
    const same = await postTo("/MCP/", JSON.stringify(call(1, "x")));
    expect(await same.text()).toContain("x was not run");
  });

  test("a redirect to another origin is not handed on, one to the same server leads to us", async () => {
    const to = { location: "" };
    using proxy = await gated(
      ({ request }, response) => {
        if (request.url === "/mcp") response.writeHead(307, to).end();
        else response.writeHead(200, json).end(result(long));
      },
      ["x=50"],
    );
    to.location = "http://127.0.0.1:1/mcp";
    const outside = await proxy.post(call(1, "x"));
    expect([outside.status, outside.headers.get("location")]).toEqual([502, null]);
    to.location = `http://${proxy.got[0]?.request.headers.host}/mcp/`;
    const inside = await proxy.post(call(1, "x"));
    expect([inside.status, inside.headers.get("location")]).toEqual([307, `${proxy.url}/`]);
    const followed = await proxy.post(call(1, "x"), { redirect: "follow" });
    expect(followed.text).toContain("withheld");
    expect(proxy.sentences.filter((sentence) => sentence.includes("redirects to"))).toHaveLength(1);
  });

  test("a resumed stream brings the same verdict once more, and no other text under the same event", async () => {
    let body = `id: 1\ndata: ${result(long)}\n\n`;
    using proxy = await gated(
      ({ request }, response) => {
        response.writeHead(200, events).end(request.method === "GET" ? body : "id: 0\ndata:\n\n");
      },
      ["x=50"],
    );
    await proxy.post(call(1, "x"));
    const resume = async () => {
      const headers = { ...session, accept: "text/event-stream", "last-event-id": "0" };
      return (await fetch(proxy.url, { headers })).text();
    };
    const first = await resume();
    expect(first).toContain("withheld");
    expect(await resume()).toBe(first);
    body = `id: 1\ndata: ${result(`${long}!`)}\n\n`;
    expect(await resume()).toBe("id: 1\n\n");
    expect(await proxy.calls()).toHaveLength(1);
  });

  test.each([
    ["which a server gave to two clients", session],
    ["of clients without one", json],
  ])(
    "an event that comes once more answers no other request for free, in a session %s",
    async (_name, headers) => {
      const event = `id: 1\ndata: ${result("word ".repeat(10))}\n\n`;
      using proxy = await gated(
        (_got, response) => {
          const isWaiting = proxy.got.length === 2;
          if (isWaiting) response.writeHead(200, events).write("id: 0\ndata:\n\n");
          else response.writeHead(200, events).end(event);
        },
        ["30/session"],
      );
      expect((await proxy.post(call(1, "x"), { headers })).text).toBe(event);
      const leaving = new AbortController();
      const waiting = proxy
        .post(call(1, "x"), { headers, signal: leaving.signal })
        .catch(() => "left");
      await eventually("the other request", () => proxy.got.length === 2);
      const resumed = { ...headers, accept: "text/event-stream", "last-event-id": "0" };
      const text = await (await fetch(proxy.url, { headers: resumed })).text();
      expect(text).not.toContain("word");
      leaving.abort();
      await waiting;
    },
  );

  test("the answer to GET is a stream of events whatever its type", async () => {
    using proxy = await gated(
      ({ request }, response) => {
        if (request.method === "GET") response.writeHead(200).end(`data: ${result(long)}\n\n`);
        else response.writeHead(200, events).end("id: 0\ndata:\n\n");
      },
      ["x=50"],
    );
    await proxy.post(call(1, "x"));
    const headers = { ...session, accept: "text/event-stream" };
    expect(await (await fetch(proxy.url, { headers })).text()).toContain("withheld");
  });

  test("annotations are added in every form", async () => {
    const text = JSON.stringify(textResult(1, "Hi"), null, 1);
    for (const [type, body] of [
      [json, text],
      [events, `data: ${text.replaceAll("\n", "\ndata: ")}\n\n`],
    ] as const) {
      using proxy = await gated(gives(200, type, body), [], {
        isAnnotating: true,
      });
      const received = await proxy.post(call(1, "x"));
      const lines = received.text.split("\n").map((line) => line.replace(/^data: /, ""));
      expect(Object.keys(JSON.parse(lines.join("\n")).result)).toContain("_meta");
    }
  });
});

const answer: ScriptedAnswer = ({ body }, response) => {
  response
    .writeHead(200, json)
    .end(JSON.stringify(textResult(JSON.parse(body.toString()).id, "Hi")));
};

test("decisions that wait for counters go to their own exchanges", async () => {
  const shared = new DeferredCounters();
  using proxy = await gated(answer, ["2calls/day", "5000/day"], { shared });
  const posts = [1, 2, 3].map((id) => proxy.post(call(id, "x")));
  const answering = setInterval(() => shared.answer(proxy.answered), 5);
  const received = await Promise.all(posts);
  clearInterval(answering);
  const texts = received.map(({ text }) => JSON.parse(text));
  expect(texts.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(texts.map(({ result: { isError = false } }) => isError)).toEqual([false, false, true]);
  expect(proxy.got).toHaveLength(2);
});

describe("types", () => {
  test.each(["text/html", "application/jsonx", "text/event-stream, application/json"])(
    "%s is one that clients read in different ways, so it is withheld, and so is its name",
    async (type) => {
      using proxy = await gated(gives(200, { "content-type": type }, result("Hi")), ["x=50"]);
      const { status, headers, text } = await proxy.post(call(1, "x"));
      expect([status, headers.get("content-type")]).toEqual([502, "application/json"]);
      expect(JSON.parse(text)).toMatchObject({ id: 1, error: { code: -31901 } });
    },
  );

  test("parameters by which clients choose another form are left out", async () => {
    using proxy = await gated(
      (_got, response) => {
        const type = 'application/json; x="text/event-stream"';
        response.writeHead(200, { "content-type": type }).end(result("Hi"));
      },
      ["x=50"],
    );
    const { headers, text } = await proxy.post(call(1, "x"));
    expect([headers.get("content-type"), text]).toEqual(["application/json", result("Hi")]);
  });

  test.each(["no message", "", `{"${long}":1}`, `{"${long}":1,${result("Hi").slice(1)}`])(
    "JSON is a message, or it is withheld: %j",
    async (body) => {
      using proxy = await gated(gives(200, json, body), ["x=50"]);
      const { status, text } = await proxy.post(call(1, "x"));
      expect([status, JSON.parse(text).error.code]).toEqual([502, -31901]);
      expect(text).not.toContain("word");
    },
  );
});

const redirected = (status: number, location: string) => gives(status, { location, ...json }, long);

describe("redirects", () => {
  test("one that clients follow with the same request has no content type", async () => {
    using proxy = await gated(redirected(307, "/mcp/"), ["x=50"]);
    const { status, headers, text } = await proxy.post(call(1, "x"));
    expect([status, headers.get("location"), text]).toEqual([307, "/mcp/", ""]);
    expect(headers.get("content-type")).toBeNull();
  });

  test.each([
    ["by GET", 303, "/mcp/", "http://127.0.0.1:"],
    ["by GET if it likes", 302, "/mcp/", "http://127.0.0.1:"],
    ["to a path too long to be quoted", 307, `/${"word-".repeat(60)}`, "http://127.0.0.1:"],
    ["elsewhere", 308, "http://127.0.0.2:1/", "http://127.0.0.2:1"],
  ])(
    "one %s is not handed on, and an error names the address",
    async (_, status, location, named) => {
      using proxy = await gated(redirected(status, location), ["x=50"]);
      const received = await proxy.post(call(1, "x"));
      expect([received.status, received.headers.get("location")]).toEqual([502, null]);
      const message: unknown = expect.stringContaining(named);
      expect(JSON.parse(received.text)).toMatchObject({ id: 1, error: { code: -31901, message } });
      expect(received.text).not.toContain("word");
    },
  );

  test("paths beyond the limit are not handed on: nothing would be metered there", async () => {
    let path = 0;
    using proxy = await gated(
      (_got, response) => {
        path += 1;
        response.writeHead(307, { location: `/${path}` }).end();
      },
      ["x=50"],
    );
    const statuses: number[] = [];
    for (let id = 1; id <= endpointPathsMax + 1; id += 1) {
      statuses.push((await proxy.post(call(id, "x"))).status);
    }
    expect(statuses.filter((status) => status === 307)).toHaveLength(endpointPathsMax - 1);
    expect(statuses.at(-1)).toBe(502);
  });

  test("a redirect that clients do not follow is a rejection with its text", async () => {
    using proxy = await gated(gives(300, {}, long), ["x=50"]);
    expect((await proxy.post(call(1, "x"))).text).toContain("was withheld");
  });
});

describe("a session", () => {
  const budget = ["100/session"];
  const half = "word ".repeat(30);

  test("does not begin with an answer: its counters would begin again", async () => {
    let sessions = 0;
    using proxy = await gated((_got, response) => {
      sessions += 1;
      const named = { ...json, "mcp-session-id": `s${sessions}` };
      response.writeHead(200, named).end(result(half));
    }, budget);
    const first = await proxy.post(call(1, "x"));
    expect(first.headers.get("mcp-session-id")).toBeNull();
    const begun = await proxy.post(initialize(1));
    expect(begun.headers.get("mcp-session-id")).toBe("s2");
    const options = { headers: { ...json, "mcp-session-id": "s3" } };
    expect((await proxy.post(call(1, "x"), options)).headers.get("mcp-session-id")).toBe("s3");
  });

  test("that has ended delivers nothing any more", async () => {
    const finish = Promise.withResolvers<void>();
    using proxy = await gated(({ request }, response) => {
      if (request.method === "DELETE") response.writeHead(200).end();
      else void finish.promise.then(() => response.writeHead(200, json).end(result(long)));
    }, budget);
    const late = proxy.post(call(1, "x"));
    await eventually("the request", () => proxy.got.length === 1);
    await fetch(proxy.url, { method: "DELETE", headers: session });
    await eventually("the end", () => proxy.records.some(({ type }) => type === "end"));
    finish.resolve();
    const { status, text } = await late;
    expect([status, text.includes("word")]).toEqual([502, false]);
  });
});

describe("a late answer to a cancelled call", () => {
  const forms = [
    ["JSON", 200, json, result("Hi"), 202],
    ["a stream of events", 200, events, `data: ${result("Hi")}\n\n`, 200],
    ["a rejection", 500, json, JSON.stringify({ jsonrpc: "2.0", id: 1, error: {} }), 202],
    ["a rejection in words", 500, { "content-type": "text/plain" }, "Hi", 202],
  ] as const;
  test.each(forms)(
    "%s is dropped, as on stdio: another client of the session may wait for its id",
    async (_, status, headers, text, seenStatus) => {
      const finish = Promise.withResolvers<void>();
      using proxy = await gated(
        ({ body }, response) => {
          if (body.includes("cancelled")) response.writeHead(202).end();
          else void finish.promise.then(() => response.writeHead(status, headers).end(text));
        },
        ["x=50"],
      );
      const late = proxy.post(call(1, "x"));
      await eventually("the request", () => proxy.got.length === 1);
      await proxy.post(notification("notifications/cancelled", { requestId: 1 }));
      finish.resolve();
      const seen = await late;
      expect([seen.status, seen.text.trim()]).toEqual([seenStatus, ""]);
      expect(await proxy.calls()).toMatchObject([{ outcome: "cancelled" }]);
    },
  );
});

const error = (message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } });

describe("a rejection of a batch", () => {
  const batch = [call(1, "x"), call(2, "x"), notification("notifications/x")];

  test("keeps its error, which is charged to each of its calls", async () => {
    const text = error("Batches are not supported");
    using proxy = await gated(gives(400, json, text), ["x=500"]);
    const seen = await proxy.post(batch);
    expect([seen.status, seen.text]).toEqual([400, text]);
    const calls = await proxy.calls();
    expect(calls).toMatchObject([{ outcome: "rpc_error" }, { outcome: "rpc_error" }]);
    const tokens = calls.map((record) => (record.type === "call" ? record.output_tokens : 0));
    for (const count of tokens) expect(count).toBeGreaterThan(5);
  });

  test("that exceeds a limit is withheld, and each call has our error", async () => {
    using proxy = await gated(gives(400, json, error(long)), ["x=50"]);
    const { status, text } = await proxy.post(batch);
    expect([status, text.includes("word word")]).toEqual([400, false]);
    expect(JSON.parse(text)).toMatchObject([{ id: 1 }, { id: 2 }]);
  });

  test("of notifications alone has no text: none would pay for it", async () => {
    using proxy = await gated(gives(400, json, error(long)), ["x=50"]);
    const { status, text } = await proxy.post([notification("a"), notification("b")]);
    expect([status, text]).toEqual([400, ""]);
  });
});

test("a rejected tasks/get keeps its method, and the tool of its task", async () => {
  const task = { taskId: "t", status: "working", createdAt: "x", lastUpdatedAt: "x", ttl: 1 };
  const created = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { task } });
  using proxy = await gated(
    ({ body }, response) => {
      if (body.includes("tools/call")) response.writeHead(200, json).end(created);
      else response.writeHead(404, { "content-type": "text/plain" }).end("No such task");
    },
    ["x=500"],
  );
  await proxy.post(call(1, "x"));
  const polls = ["t", "t", "unknown"];
  for (const [at, taskId] of polls.entries()) {
    expect((await proxy.post(ask(at + 2, "tasks/get", { taskId }))).status).toBe(404);
  }
  expect(await proxy.calls()).toMatchObject([
    { method: "tools/call", tool: "x", request_id: 1, outcome: "rpc_error" },
    { method: "tasks/get", tool: "x", request_id: 3, outcome: "rpc_error" },
    { method: "tasks/get", tool: null, request_id: 4, outcome: "rpc_error" },
  ]);
});

describe("the old HTTP+SSE transport", () => {
  const endpoint = "event: endpoint\ndata: /messages?sessionId=1\n\n";

  test.each([
    ["in one piece", [endpoint]],
    ["in pieces", ["ev", "ent: endpoint\r\n", "data: /messages\r\n\r", "\n"]],
  ])("is refused with its name where limits are enforced, %s", async (_, parts) => {
    using proxy = await gated(
      async (_got, response) => {
        response.writeHead(200, events);
        for (const block of parts) {
          response.write(block);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      },
      ["x=50"],
    );
    const opened = await fetch(proxy.url, { headers: { accept: "text/event-stream" } });
    expect(opened.status).toBe(502);
    expect(await opened.text()).toContain("--transport sse-only");
    await eventually("the notice", () => proxy.sentences.length > 0);
    expect(proxy.sentences).toEqual([expect.stringContaining("old HTTP+SSE transport")]);
    const astray = await fetch(new URL("/messages?sessionId=1", proxy.url), {
      method: "POST",
      body: JSON.stringify(call(1, "x")),
      headers: json,
    });
    expect(await astray.text()).toContain("--transport sse-only");
    expect(proxy.sentences).toHaveLength(1);
  });

  test("is not what another stream of a client without a session is", async () => {
    using proxy = await gated(
      (_got, response) => {
        response.writeHead(200, events).write(": hi\n\ndata: 1\n\n");
        setTimeout(() => response.end("event: endpoint\ndata: /late\n\n"), 20);
      },
      ["x=50"],
    );
    const opened = await fetch(proxy.url, { headers: { accept: "text/event-stream" } });
    expect([opened.status, (await opened.text()).startsWith(": hi")]).toEqual([200, true]);
    expect(proxy.sentences).toEqual([]);
  });
});
