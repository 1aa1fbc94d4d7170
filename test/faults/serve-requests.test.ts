import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { formatLock } from "#lock/lock.ts";
import { GatedSession } from "../support/gated-session.ts";
import { event, eventsHead, forbidden, jsonHead, whole } from "../support/over-budget-answers.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { Folder } from "../support/folder.ts";
import { lockedDefinition, lockWith } from "../support/locks.ts";
import { call } from "../support/rpc.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const deleting = JSON.stringify(call(1, "delete_all"));
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const bigEndian = (text: string) => utf16(text).swap16();
const inUtf7 = deleting.replace("delete", "+AGQ-elete");

type Body = string | Uint8Array;

/** Requests that no limit can judge; those that `runs` are calls of the tool for express. */
const unreadable: readonly (readonly [type: string | undefined, body: Body, runs?: "runs"])[] = [
  ["application/json; charset=utf-16", utf16(deleting), "runs"],
  ["application/json; charset=utf-16", bigEndian(`\uFEFF${deleting}`), "runs"],
  ["application/json; charset=utf-16le", utf16(deleting), "runs"],
  ['application/json; charset="utf-16le"', utf16(deleting), "runs"],
  ["application/json;charset=UTF-16LE", utf16(deleting), "runs"],
  ["application/json; charset=utf-16be", bigEndian(deleting), "runs"],
  ["application/json; charset=utf-7", inUtf7, "runs"],
  ['Application/JSON ; Charset="UTF-7"', inUtf7, "runs"],
  ["application/json; charset=utf-8; charset=utf-7", inUtf7],
  ["application/json; charset=utf-7; charset=utf-8", inUtf7],
  ["application/json; charset=utf-8, application/json; charset=utf-7", inUtf7],
  ['application/json; x="; charset=utf-8"; charset=utf-7', inUtf7],
  ["application/json", utf16(deleting)],
  ["application/json", bigEndian(`\uFEFF${deleting}`)],
  ["application/json", `\uFEFF${deleting}`],
  ["application/json", Buffer.from(deleting.replace("delete", "de\u00FFlete"), "latin1")],
  ["application/json; charset=latin1", deleting],
  ["text/plain", deleting],
  ["application/x-www-form-urlencoded", deleting],
  [undefined, Buffer.from(deleting)],
];

type Parsed = IncomingMessage & { readonly body?: unknown };

async function expressServer() {
  const ran: string[] = [];
  const app = createMcpExpressApp();
  const handle = async (request: Parsed, response: ServerResponse): Promise<void> => {
    const server = new McpServer({ name: "express", version: "1" });
    for (const name of ["delete_all", "list"]) {
      server.registerTool(name, { description: "As locked" }, () => {
        ran.push(name);
        return { content: [{ type: "text", text: "the tool ran" }] };
      });
    }
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    await transport.handleRequest(request, response, request.body);
  };
  app.post("/mcp", (request: Parsed, response: ServerResponse) => void handle(request, response));
  const listening: Server = await new Promise((resolve) => {
    const opened: Server = app.listen(0, "127.0.0.1", () => resolve(opened));
  });
  const address = listening.address();
  return {
    ran,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/mcp`,
    [Symbol.dispose]: () => {
      listening.closeAllConnections();
      listening.close();
    },
  };
}

const accept = "application/json, text/event-stream";

async function send(url: URL | string, type: string | undefined, body: Body, more = {}) {
  const headers = { accept, ...(type === undefined ? {} : { "content-type": type }), ...more };
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

describe("a forbidden tool, behind express", () => {
  let server: Awaited<ReturnType<typeof expressServer>>;
  let folder: Folder;
  const gates: Record<string, ServedProxy> = {};
  beforeAll(async () => {
    server = await expressServer();
    folder = new Folder();
    const lock = folder.at("lock.json");
    const inputSchema = { type: "object", properties: {} };
    const list = { name: "list", description: "As locked", inputSchema };
    writeFileSync(lock, formatLock(lockWith([lockedDefinition(list)])));
    gates["a budget"] = await ServedProxy.start(server.url, ["--budget", "delete_*=0"]);
    gates["a lock"] = await ServedProxy.start(server.url, ["--lock", lock, "--enforce-lock"]);
  });
  afterAll(() => {
    for (const gate of Object.values(gates)) gate[Symbol.dispose]();
    server[Symbol.dispose]();
    folder[Symbol.dispose]();
  });

  for (const gate of ["a budget", "a lock"]) {
    test.each(unreadable)(`row 157: as %p does not run behind ${gate}: %#`, async (type, body) => {
      server.ran.length = 0;
      const url = gates[gate]?.url ?? "";
      expect((await send(url, type, body)).status).toBe(415);
      expect(server.ran).toEqual([]);
    });

    test(`row 157: compressed, at another path, and as every client sends it, behind ${gate}`, async () => {
      server.ran.length = 0;
      const { url = new URL("http://none") } = gates[gate] ?? {};
      for (const coding of ["gzip", "x", "identity, gzip"]) {
        const given = { "content-encoding": coding };
        const { status } = await send(url, "application/json", gzipSync(deleting), given);
        expect(status).toBe(415);
      }
      const elsewhere = new URL("/other", url);
      const form = await send(elsewhere, "text/plain", deleting);
      const wide = await send(elsewhere, "application/json; charset=utf-16", utf16(deleting));
      const coded = new URL("/%6dcp", url);
      const asForm = await send(coded, "application/x-www-form-urlencoded", deleting);
      expect(asForm.status).toBe(415);
      const json = await send(elsewhere, "application/json", '{"method":"tools/call"}');
      expect([form.status, wide.status, json.status]).toEqual([415, 415, 502]);
      const deep = `{"METHOD":"tools/call","x":${"[".repeat(1_000)}${"]".repeat(1_000)}}`;
      expect((await send(elsewhere, "application/json", deep)).status).toBe(502);
      const types = [
        "application/json",
        "application/JSON;charset=UTF-8",
        'application/json; charset="utf-8"',
      ];
      for (const type of types) {
        const { status, text } = await send(url, type, deleting, {
          "content-encoding": "identity",
        });
        expect([status, text]).toEqual([200, expect.stringMatching(/mcp-meter: /)]);
      }
      expect(server.ran).toEqual([]);
    });
  }

  test("row 157: the forms are calls for express, and pass where nothing is enforced", async () => {
    using open = await ServedProxy.start(server.url);
    using warning = await ServedProxy.start(server.url, ["--budget", "*=1:warn"]);
    const running = unreadable.filter(([, , runs]) => runs);
    for (const url of [server.url, open.url, warning.url]) {
      server.ran.length = 0;
      for (const [type, body] of running) await send(url, type, body);
      expect(server.ran).toEqual(running.map(() => "delete_all"));
    }
    const list = JSON.stringify(call(1, "list"));
    const through = await send(gates["a budget"]?.url ?? "", "application/json", list);
    expect(through.text).toContain("the tool ran");
  });
});

/** Errors without the id of a request, which some clients give to the one that waits. */
const idless: Readonly<Record<string, string>> = {
  "an error with id null": JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: { code: 1, message: forbidden },
  }),
  "an error without id": JSON.stringify({ jsonrpc: "2.0", error: { code: 1, message: forbidden } }),
  "one without version": JSON.stringify({ id: null, error: { message: forbidden } }),
  "a result with id null": JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    result: { content: [{ type: "text", text: forbidden }] },
  }),
};

describe("an answer without the id of a request", () => {
  const names = Object.keys(idless);

  test.each(names)("row 152: %s exceeds no limit through serve", async (name) => {
    const text = idless[name] ?? "";
    using server = await startOverBudgetServer({
      events: () => whole(eventsHead, event(text)),
      json: () => whole(jsonHead, text),
    });
    using through = await ServedProxy.start(server.url, ["--budget", "*=300"]);
    for (const form of ["events", "json"]) {
      const asked = JSON.stringify(call(1, form));
      const got = await send(through.url, "application/json", asked);
      expect(got.text).not.toMatch(/word.word.word/);
    }
  });

  test.each(names)("row 152: %s is charged where it passes", async (name) => {
    const text = (idless[name] ?? "").replace(forbidden, "word ".repeat(200));
    using server = await startOverBudgetServer({ events: () => whole(eventsHead, event(text)) });
    using through = await ServedProxy.start(server.url, ["--budget", "40000/session"]);
    const got: string[] = [];
    for (let at = 1; at <= 12; at += 1) {
      const asked = JSON.stringify(call(at, "events"));
      got.push((await send(through.url, "application/json", asked)).text);
    }
    const passed = got.filter((answer) => answer.includes("word word word"));
    expect(passed.length).toBeGreaterThan(0);
    expect(passed.length).toBeLessThan(got.length);
  });

  test.each(names)("row 152: %s exceeds no limit on stdio", (name) => {
    const enforced = new GatedSession(["*=300"]);
    enforced.client(call(1, "x")).serverLine(idless[name] ?? "");
    expect(enforced.toClient.join("")).not.toMatch(/word.word.word/);
  });
});
