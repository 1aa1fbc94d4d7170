import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { endpointPathsMax } from "#transport/http/redirects.ts";
import {
  answerTo,
  event,
  eventsHead,
  forbidden,
  type Form,
  forms,
  head,
  jsonHead,
  whole,
} from "../support/over-budget-answers.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { type Host, hosts } from "../support/sdk-hosts.ts";
import type { RawHttpServer } from "../support/raw-http-server.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { call } from "../support/rpc.ts";
import { testMaxMs } from "../support/session.ts";
import { o200kTokens } from "../support/eras.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const legacy = ["sdk-v1", "sdk-v2-legacy"];

const unanswered: ReadonlySet<string> = new Set([
  "events-with-an-array",
  "events-after-a-mark-in-latin-1",
  "events-after-two-marks",
  "events-never-completed",
  "events-with-an-odd-member",
  "type-of-events-but-json",
  "status-202-with-a-body",
]);
const vainMs = 500;

const empty: ReadonlySet<string> = new Set([
  "status-205",
  "status-304",
  "status-403-of-scope",
  "status-with-long-words",
]);

async function hostOn(name: string, url: URL): Promise<Host> {
  const open = hosts[name];
  if (!open) throw new Error(`no host is called ${name}`);
  return open(url);
}

describe("a form of an answer that a client accepts, or quotes in an error, exceeds no budget", () => {
  let server: RawHttpServer;
  let through: ServedProxy;
  beforeAll(async () => {
    server = await startOverBudgetServer(forms);
    through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
  });
  afterAll(() => {
    through[Symbol.dispose]();
    server[Symbol.dispose]();
  });

  const answered = Object.keys(forms).filter((form) => !unanswered.has(form));
  for (const name of Object.keys(hosts)) {
    test.each(answered)(`row 120: %s, with ${name} in front`, async (form) => {
      const host = await hostOn(name, through.url);
      const got = await host.call(form);
      await host.close();
      expect(got).not.toMatch(/word.word.word/);
      if (form === "events-twice") expect(got).toContain('"x"');
      else if (!empty.has(form)) expect(got).toMatch(/mcp-meter: /);
    });

    test(`row 120: forms that ${name} takes for no answer`, async () => {
      const waiting = [...unanswered].map(async (form) => {
        const host = await hostOn(name, through.url);
        const got = await host.call(form, vainMs);
        await host.close();
        return got;
      });
      for (const got of await Promise.all(waiting)) expect(got).not.toMatch(/word.word.word/);
    });
  }

  test("row 120: the same server serves an honest client after all that", async () => {
    const host = await hostOn("sdk-v1", through.url);
    expect(await host.call("honest")).toContain('"text":"x"');
    await host.close();
  });
});

const honest = [
  "json",
  "json-after-mark",
  "json-in-array",
  "json-after-others",
  "json-of-9-mb",
  "json-id-as-text",
  "json-error",
  "json-in-bytes-that-are-no-text",
  "json-identity-coding",
  "events",
  "events-with-cr",
  "events-with-crlf",
  "events-in-many-lines",
  "events-after-mark",
  "events-in-pieces",
  "events-with-a-type",
  "events-with-an-empty-type",
  "events-with-two-types",
  "events-with-ids",
  "events-with-a-retry",
  "events-without-a-blank",
  "events-with-data-alone",
  "events-of-9-mb",
  "events-error",
  "type-in-capitals",
  "status-201",
  "status-300",
  "status-400",
  "status-400-of-json",
  "status-404",
  "status-500",
  "status-500-of-events",
];

describe("an honest form under a wide budget", () => {
  let server: RawHttpServer;
  let through: ServedProxy;
  beforeAll(async () => {
    server = await startOverBudgetServer(forms);
    through = await ServedProxy.start(server.url, ["--budget", "*=100M"]);
  });
  afterAll(() => {
    through[Symbol.dispose]();
    server[Symbol.dispose]();
  });

  test.each(honest)("row 121: %s has the same status and bytes", async (form) => {
    const asked = { method: "POST", body: JSON.stringify(call(1, form)) };
    const [direct, proxied] = await Promise.all(
      [server.url, through.url.href].map(async (url) => {
        const headers = { "mcp-session-id": "s", "content-type": "application/json" };
        const answer = await fetch(url, { ...asked, headers, redirect: "manual" });
        const type = answer.headers.get("content-type");
        const body = createHash("sha256")
          .update(await answer.bytes())
          .digest("hex");
        return { status: answer.status, type, body };
      }),
    );
    expect(proxied).toEqual(direct);
  });
});

describe("an answer that comes elsewhere", () => {
  test.each(legacy)("row 122: on the GET stream, with %s", async (name) => {
    const streams: ((text: string) => void)[] = [];
    const sent = Promise.withResolvers<unknown>();
    using server = await startOverBudgetServer(
      {
        long: ({ id }) => {
          for (const write of streams) write(event(answerTo(id)));
          return whole(eventsHead, event(answerTo("other")), ": waits\n\n", sent.promise);
        },
      },
      ({ method }, write) => {
        if (method !== "GET") return undefined;
        streams.push((text) => write(text));
        return { parts: [eventsHead, ": open\n\n"], isOpen: true };
      },
    );
    using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
    const host = await hostOn(name, through.url);
    await eventually("the stream", () => streams.length > 0);
    const got = await host.call("long");
    sent.resolve(undefined);
    await host.close();
    expect(got).toContain("withheld");
  });

  test.each(legacy)(
    "row 122: on a resumed stream, in other words, and once more, with %s",
    async (name) => {
      const resumed: string[] = [];
      const other = Promise.withResolvers<unknown>();
      using server = await startOverBudgetServer(
        { long: ({ id }) => whole(eventsHead, `retry: 1\nid: ${id}\ndata:\n\n`) },
        ({ method, headers }) => {
          const last = headers.get("last-event-id");
          if (method !== "GET" || last === null) return undefined;
          resumed.push(last);
          const texts = [forbidden, forbidden, `${forbidden}!`, "x"];
          const events = texts.map((text) => event(answerTo(Number(last), text), "\n", ["id: 7"]));
          if (resumed.length > 3) other.resolve(undefined);
          return whole(eventsHead, ...events);
        },
      );
      using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
      const host = await hostOn(name, through.url);
      const got = await host.call("long");
      expect(got).toContain("withheld");
      expect(resumed).toContain("1");
      await host.close();
      expect(await through.records("call")).toMatchObject([{ tool: "long", outcome: "refused" }]);
    },
  );

  test.each(Object.keys(hosts))(
    "row 122: on the stream of another request, with %s",
    async (name) => {
      const first = Promise.withResolvers<number | string>();
      using server = await startOverBudgetServer({
        first: ({ id }) => {
          first.resolve(id);
          return whole(
            eventsHead,
            new Promise((resolve) => setTimeout(resolve, 300)),
            event(answerTo(id, "x")),
          );
        },
        second: ({ id }) =>
          whole(
            eventsHead,
            first.promise.then(() => undefined),
            event(answerTo(id)),
            event(answerTo(1)),
            event(answerTo(2)),
            event(answerTo(0)),
          ),
      });
      using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
      const host = await hostOn(name, through.url);
      const got = await Promise.all([host.call("first"), host.call("second")]);
      await host.close();
      expect(got.join("\n")).not.toMatch(/word.word.word/);
    },
  );
});

describe("a session that begins again", () => {
  /** 600 tokens; three of them are above the limit. */
  const part = forbidden.slice(0, 3_000);
  const limits = ["--budget", "1500/session"];

  test.each(legacy)("row 123: by ids that the server sends with answers, with %s", async (name) => {
    let sessions = 0;
    const rotating = () => {
      sessions += 1;
      return head("200 OK", "Content-Type: application/json", `Mcp-Session-Id: other-${sessions}`);
    };
    using server = await startOverBudgetServer({
      part: ({ id }) => whole(rotating(), answerTo(id, part)),
    });
    using through = await ServedProxy.start(server.url, limits);
    const host = await hostOn(name, through.url);
    const got: string[] = [];
    for (let at = 0; at < 6; at += 1) got.push(await host.call("part"));
    await host.close();
    expect(got.filter((text) => text.includes(part))).toHaveLength(2);
    expect(await through.records("session")).toHaveLength(1);
  });

  test.each(legacy)("row 123: by statuses 404 between answers, with %s", async (name) => {
    using server = await startOverBudgetServer({
      part: ({ id }) => whole(jsonHead, answerTo(id, part)),
      gone: () => whole(head("404 Gone"), "gone"),
    });
    using through = await ServedProxy.start(server.url, limits);
    const host = await hostOn(name, through.url);
    const got: string[] = [];
    for (let at = 0; at < 5; at += 1) got.push(await host.call("part"), await host.call("gone"));
    await host.close();
    expect(got.filter((text) => text.includes(part))).toHaveLength(2);
  });

  test.each(legacy)("row 123: by a status 404 while another call waits, with %s", async (name) => {
    const ended = Promise.withResolvers<unknown>();
    using server = await startOverBudgetServer({
      long: ({ id }) => whole(eventsHead, ended.promise, event(answerTo(id))),
      gone: () => whole(head("404 Gone"), "gone"),
    });
    using through = await ServedProxy.start(server.url, limits);
    const host = await hostOn(name, through.url);
    const waiting = host.call("long");
    await host.call("gone");
    ended.resolve(undefined);
    expect(await waiting).toContain("withheld");
    await host.close();
  });
});

describe("what clients quote of a head and of names", () => {
  /** 420 letters that are no words. */
  const letters = Array.from(
    { length: 420 },
    (_, at) => "qzxjkvwpy7392"[(at * 7 + (at >> 2)) % 13],
  );
  const quoted = letters.join("");
  const quotedForms: Readonly<Record<string, Form>> = {
    "a challenge": () =>
      whole(
        head("403 No", `WWW-Authenticate: Bearer error="insufficient_scope", scope="${quoted}"`),
        "x",
      ),
    "a redirect in a circle": () => whole(head("307 There", `Location: /${quoted.slice(0, 250)}`)),
    "a short odd name": ({ id }) =>
      whole(jsonHead, `{"${quoted.slice(0, 95)}":1,${answerTo(id, "x").slice(1)}`),
  };

  test.each(Object.keys(hosts))("row 190: with %s in front, it exceeds no limit", async (name) => {
    using server = await startOverBudgetServer(quotedForms);
    using through = await ServedProxy.start(server.url, ["--budget", "*=100"]);
    const host = await hostOn(name, through.url);
    for (const form of Object.keys(quotedForms)) {
      const tokens = o200kTokens(await host.call(form));
      expect([form, tokens < 300 ? 0 : tokens]).toEqual([form, 0]);
    }
    await host.close();
  });
});

describe("redirects", () => {
  test.each(Object.keys(hosts))(
    "row 124: to any path of the server are metered, with %s (slow)",
    async (name) => {
      for (const to of ["/mcp/", "mcp/", "/other?x=1", "ABSOLUTE/other", "/\\HOST/other"]) {
        let origin = "";
        using server = await startOverBudgetServer(
          { long: ({ id }) => whole(jsonHead, answerTo(id)) },
          (request) => {
            const isAsked = request.message?.["method"] === "tools/call" && request.path === "/mcp";
            const location = to
              .replace("ABSOLUTE", origin)
              .replace("HOST", origin.replace("http://", ""));
            return isAsked
              ? whole(head("307 There", `Location: ${location}`), forbidden)
              : undefined;
          },
        );
        ({ origin } = server);
        using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
        const host = await hostOn(name, through.url);
        expect(await host.call("long")).toContain("withheld");
        await host.close();
        const asked = server.requests.filter(({ message }) => message?.["method"] === "tools/call");
        expect(asked).toHaveLength(2);
      }
    },
  );

  test("row 124: beyond the paths that are metered, they are not handed on", async () => {
    let paths = 0;
    using server = await startOverBudgetServer(
      { long: ({ id }) => whole(jsonHead, answerTo(id)) },
      (request) => {
        if (request.message?.["method"] !== "tools/call" || request.path !== "/mcp")
          return undefined;
        paths += 1;
        return whole(head("307 There", `Location: /${paths}`));
      },
    );
    using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
    const host = await hostOn("sdk-v1", through.url);
    for (let at = 0; at < endpointPathsMax + 3; at += 1) {
      expect(await host.call("long")).not.toMatch(/word.word.word/);
    }
    await host.close();
    expect(paths).toBe(endpointPathsMax + 3);
  });
});

test("row 125: a client of the old HTTP+SSE transport gets nothing either", async () => {
  let write: ((text: string) => void) | undefined;
  using server = await startOverBudgetServer({}, ({ method, message }, send) => {
    if (method === "GET") {
      write = send;
      return { parts: [eventsHead, "event: endpoint\ndata: /messages\n\n"], isOpen: true };
    }
    const id = message?.["id"];
    const result = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      serverInfo: { name: "x", version: "1" },
    };
    const isCall = message?.["method"] === "tools/call";
    const text = isCall ? answerTo(Number(id)) : JSON.stringify({ jsonrpc: "2.0", id, result });
    if (id !== undefined) write?.(event(text));
    return whole(head("202 Accepted"));
  });
  using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
  const client = new Client({ name: "old", version: "1" });
  const connected = client.connect(new SSEClientTransport(through.url), { timeout: 1_000 });
  const got = await connected
    .then(async () => JSON.stringify(await client.callTool({ name: "long" })))
    .catch((error: unknown) => String(error));
  await client.close();
  expect(got).not.toMatch(/word.word.word/);
});

describe("bodies without an end", () => {
  test.each([
    ["JSON", jsonHead, '{"jsonrpc":"2.0","id":1,"x":"'],
    ["an event", eventsHead, "data: "],
    ["comments", eventsHead, ": "],
  ])(
    "row 126: %s is broken off when its client leaves, and nothing of it stays",
    async (_name, start, begin) => {
      const sending = { isOn: true };
      using server = await startOverBudgetServer({
        endless: () => ({
          parts: (function* () {
            yield start + begin;
            while (sending.isOn) {
              yield forbidden;
              yield new Promise((resolve) => setImmediate(resolve));
            }
          })(),
        }),
      });
      using through = await ServedProxy.start(server.url, ["--budget", "*=200"]);
      const host = await hostOn("sdk-v1", through.url);
      expect(await host.call("endless", 300)).not.toMatch(/word.word.word/);
      await host.close();
      await eventually("the end of the connection", () => server.open === 0);
      sending.isOn = false;
      const again = await hostOn("sdk-v1", through.url);
      expect(await again.call("honest")).toContain('"text":"x"');
      await again.close();
    },
  );
});
