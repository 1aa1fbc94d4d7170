import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientNamed, clients, type Connection, usualClients } from "../support/clients.ts";
import { connectV2 } from "../support/client-v2.ts";
import { everythingOverHttp, executable, modernOverHttp } from "../support/servers.ts";
import { initialize } from "../support/rpc.ts";
import { freePort } from "../support/free-port.ts";
import { RefusingProxy } from "../support/refusing-proxy.ts";
import { eachFirst, slowIf } from "../support/slow-cases.ts";
import { StartedProcess } from "../support/started-process.ts";
import { eventually } from "../support/wait.ts";
import { onlyLog, waitMaxMs } from "./run.ts";
import { ownHome, startServe } from "./serving.ts";

setDefaultTimeout(waitMaxMs);

let everything: StartedProcess;
let modern: StartedProcess;
const urls = { everything: "", modern: "" };

beforeAll(async () => {
  const port = freePort();
  everything = new StartedProcess(everythingOverHttp(), { PORT: String(port) });
  modern = new StartedProcess(modernOverHttp());
  urls.everything = `http://127.0.0.1:${port}/mcp`;
  urls.modern = `http://127.0.0.1:${await modern.firstLine()}/mcp`;
  await eventually("server-everything", () => everything.err.includes("listening"));
});

afterAll(() => {
  everything[Symbol.dispose]();
  modern[Symbol.dispose]();
});

type Call = readonly [tool: string, args: Record<string, unknown>];

async function conversation(connection: Connection, calls: readonly Call[]) {
  const outcomes: unknown[] = [];
  for (const [tool, args] of calls) {
    const progress: number[] = [];
    outcomes.push(await connection.callTool(tool, args, progress), progress);
  }
  const { greeting } = connection;
  const tools = await connection.listTools();
  await connection.close();
  return { greeting, outcomes, tools };
}

const targets = [
  {
    name: "everything",
    calls: [
      ["echo", { message: "hé 中" }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-tiny-image", {}],
      ["no-such-tool", {}],
      ["trigger-long-running-operation", { duration: 0.4, steps: 2 }],
    ],
  },
  {
    name: "modern",
    calls: [
      ["échо", { text: "hé 中" }],
      ["fail", {}],
      ["no-such-tool", {}],
      ["slow", { steps: 3 }],
    ],
  },
] as const;

describe("the same answers, notifications and errors as without it", () => {
  for (const { name, calls } of targets) {
    for (const client of clients) {
      if (client.speaks === "modern" && name === "everything") continue;
      test(`${client.name} and ${name}${slowIf(!usualClients.has(client.name))}`, async () => {
        using home = ownHome();
        using through = await startServe(home, urls[name]);
        const direct = await conversation(await client.connect(new URL(urls[name])), calls);
        const proxied = await conversation(await client.connect(through.url), calls);
        expect(proxied).toEqual(direct);
        expect(await through.end()).toBe(0);
        const records = await onlyLog(home);
        expect(records.filter(({ type }) => type === "call")).toHaveLength(calls.length);
        expect(records.filter(({ type }) => type === "session")).toMatchObject([
          {
            transport: "http",
            era: direct.greeting.version === "2026-07-28" ? "modern" : "legacy",
          },
        ]);
        expect(records.filter(({ type }) => type === "end")).toHaveLength(1);
        expect(records.filter(({ type }) => type === "fault")).toEqual([]);
      });
    }
  }
});

test("a person at the terminal learns that the server cannot be reached, or has another path", async () => {
  const port = freePort();
  for (const [url, told] of [
    [`http://127.0.0.1:${port}/mcp`, "connection refused (ECONNREFUSED)"],
    [urls.everything.replace("http:", "https:"), "write http:// for a server without TLS (EPROTO)"],
    [`${urls.everything}-not`, "answers a client's first request with 404"],
  ] as const) {
    using home = ownHome();
    using through = await startServe(home, url);
    const body = JSON.stringify(initialize());
    for (let time = 0; time < 2; time += 1) await fetch(through.url, { method: "POST", body });
    expect(await through.end()).toBe(0);
    expect(through.err.split(told)).toHaveLength(2);
    expect(await onlyLog(home)).toContainEqual(
      expect.objectContaining({ method: "initialize", outcome: "rpc_error" }),
    );
  }
});

test("clients at the same time are sessions of their own, in one file and one summary", async () => {
  using home = ownHome();
  using through = await startServe(home, urls.everything, ["--summary", "json"]);
  const all = await Promise.all(
    ["sdk-v1", "sdk-v2-legacy", "sdk-v1"].map((name) => clientNamed(name).connect(through.url)),
  );
  const said = all.map((one, at) => one.callTool("echo", { message: `word ${at}` }));
  expect(await Promise.all(said)).toMatchObject(
    all.map((_one, at) => ({ result: { content: [{ text: `Echo: word ${at}` }] } })),
  );
  for (const one of all) await one.close();
  expect(await through.end()).toBe(0);
  const summary = JSON.parse(through.err.slice(through.err.indexOf("{")));
  expect(summary).toMatchObject({ sessions: 3, total: { calls: 3 }, unknown_answers: 0 });
  const sessions = (await onlyLog(home)).filter(({ type }) => type === "session");
  expect(new Set(sessions.map(({ session_id }) => session_id)).size).toBe(3);
});

test("row 106: a modern client that leaves cancels its call at the server, and in the records", async () => {
  using home = ownHome();
  using through = await startServe(home, urls.modern);
  const { callTool, close } = await connectV2(through.url, "modern");
  const progress: number[] = [];
  const leaving = callTool("slow", { steps: 400 }, progress).catch(() => "left");
  await eventually("its first step", () => progress.length > 0);
  await close();
  await leaving;
  await eventually("the record", () => through.child.killed || home.logs().length > 0);
  expect(await through.end()).toBe(0);
  expect((await onlyLog(home)).filter(({ type }) => type === "call")).toMatchObject([
    { tool: "slow", outcome: "cancelled" },
  ]);
});

test("row 109: secrets are sent, and are in no command line, record or message", async () => {
  using home = ownHome();
  const got: Headers[] = [];
  const answer = { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "Hi" }] } };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      got.push(request.headers);
      expect(new URL(request.url).search).toBe("?api_key=query-secret");
      return Response.json(answer, { status: got.length > 1 ? 401 : 200 });
    },
  });
  const { port } = server;
  const env = {
    TOKEN: "token-secret",
    MCP_METER_URL: `http://me:word-secret@127.0.0.1:${port}/mcp?api_key=query-secret`,
  };
  const argv = [executable(), "serve", "--header-env", "X-Key=TOKEN"];
  using through = new StartedProcess(argv, { ...home.env, ...env });
  const url = await through.firstLine();
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "x" },
  });
  for (const status of [200, 401]) {
    expect((await fetch(url, { method: "POST", body })).status).toBe(status);
  }
  expect(Object.fromEntries(got[0] ?? [])).toMatchObject({
    "x-key": "token-secret",
    authorization: `Basic ${Buffer.from("me:word-secret").toString("base64")}`,
  });
  void server.stop(true);
  expect(await (await fetch(url, { method: "POST", body })).text()).not.toContain("secret");
  const shown = Bun.spawnSync(["ps", "-o", "args=", "-p", String(through.child.pid)]);
  const words = shown.stdout.toString();
  expect(words).toContain("--header-env");
  expect(await through.end()).toBe(0);
  const kept = home.logs().map((file) => readFileSync(file, "utf8"));
  expect([words, through.out, through.err, ...kept].join("\n")).not.toContain("secret");
  expect(kept.join("")).toContain(`"command":"127.0.0.1:${port}"`);
});

describe("TLS", () => {
  const folder = join(import.meta.dir, "../fixtures/tls");
  const [key, cert] = ["key.pem", "certificate.pem"].map((name) =>
    readFileSync(join(folder, name), "utf8"),
  );

  test("a server with a certificate of one's own is reached with NODE_EXTRA_CA_CERTS", async () => {
    using home = ownHome();
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      tls: { key: key ?? "", cert: cert ?? "" },
      fetch: () => new Response("{}", { headers: { "content-type": "application/json" } }),
    });
    const url = `https://localhost:${server.port}/mcp`;
    using plain = await startServe(home, url);
    const refused = await fetch(plain.url, { method: "POST", body: "{}" });
    expect([refused.status, await refused.text()]).toEqual([
      502,
      expect.stringContaining("SELF_SIGNED"),
    ]);
    using trusting = await startServe(home, url, [], {
      NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem"),
    });
    expect((await fetch(trusting.url, { method: "POST", body: "{}" })).status).toBe(200);
    void server.stop(true);
  });

  test("HTTPS_PROXY is used, and NO_PROXY is not", async () => {
    using home = ownHome();
    using proxy = await RefusingProxy.start();
    for (const NO_PROXY of ["", "server.invalid"]) {
      using through = await startServe(home, "https://server.invalid/mcp", [], {
        HTTPS_PROXY: proxy.url,
        NO_PROXY,
      });
      expect((await fetch(through.url, { method: "POST", body: "{}" })).status).toBe(502);
    }
    expect(proxy.lines).toEqual(["CONNECT server.invalid:443 HTTP/1.1"]);
  });
});

describe("the end", () => {
  eachFirst(1, ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])(
    "row 110: %s ends it with 0, also while a stream is open, and prints the summary",
    async (signal) => {
      using home = ownHome();
      using through = await startServe(home, urls.everything);
      const { callTool } = await clientNamed("sdk-v1").connect(through.url);
      await callTool("echo", { message: "Hi" });
      expect(await through.end(signal)).toBe(0);
      expect(through.err).toContain("echo");
      expect((await onlyLog(home)).at(-1)).toMatchObject({
        type: "end",
        exit_code: null,
        signal: null,
      });
    },
  );
});
