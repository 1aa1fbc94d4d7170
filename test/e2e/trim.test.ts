import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { clients, type Connection, usualClients } from "../support/clients.ts";
import {
  everything,
  metered,
  modern,
  modernOverHttp,
  type ReachedServer,
} from "../support/servers.ts";
import { StartedProcess } from "../support/started-process.ts";
import { type Home, makeHome, runMeter, waitMaxMs } from "./run.ts";
import { fixture } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";
import { startServe } from "./serving.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;
let overHttp: StartedProcess;
let url = "";

beforeAll(async () => {
  home = makeHome();
  overHttp = new StartedProcess(modernOverHttp());
  url = `http://127.0.0.1:${await overHttp.firstLine()}/mcp`;
});

afterAll(() => {
  overHttp[Symbol.dispose]();
  home.remove();
});

const meteredAt = (server: Parameters<typeof metered>[0], options: readonly string[]) => {
  const through = metered(server, ["--log", "off", ...options]);
  return { ...through, env: { ...through.env, ...home.env } };
};

async function visit(connection: Connection, hidden: string, called: readonly [string, object]) {
  const tools = await connection.listTools();
  const [name, args] = called;
  const outcome = await connection.callTool(name, { ...args });
  const refused = await connection.callTool(hidden, {});
  await connection.close();
  return { tools, outcome, refused, greeting: connection.greeting };
}

const unknownTool = (name: string) => ({
  kind: "error" as const,
  code: -32_602,
  message: expect.stringContaining(`Unknown tool: ${name}`),
});

describe("with --hide only the hidden tools are missing", () => {
  for (const client of clients) {
    const targets = [
      {
        name: "everything",
        server: everything,
        hidden: "get-env",
        called: ["echo", { message: "hé" }],
      },
      { name: "modern", server: modern, hidden: "fail", called: ["échо", { text: "hé" }] },
    ] as const;
    for (const { name, server, hidden, called } of targets) {
      // It ends slowly, and one client is enough.
      if (client.name !== "sdk-v1" && name === "everything") continue;
      const part = slowIf(name === "everything" || !usualClients.has(client.name));
      test(`${client.name} and ${name}${part}`, async () => {
        const reach = async (to: ReachedServer) => visit(await client.connect(to), hidden, called);
        const direct = await reach(server());
        const through = await reach(meteredAt(server(), ["--hide", hidden]));
        expect(direct.tools.some((tool) => tool.name === hidden)).toBe(true);
        expect(through).toEqual({
          ...direct,
          tools: direct.tools.filter((tool) => tool.name !== hidden),
          refused: unknownTool(hidden),
        });
      });
    }

    test(`${client.name} through serve${slowIf(!usualClients.has(client.name))}`, async () => {
      using through = await startServe(home, url, [
        "--log",
        "off",
        "--only",
        "slow",
        "--only",
        "éc*",
      ]);
      const called = ["échо", { text: "hé" }] as const;
      const direct = await visit(await client.connect(new URL(url)), "fail", called);
      const proxied = await visit(await client.connect(through.url), "fail", called);
      expect(proxied).toEqual({
        ...direct,
        tools: direct.tools.filter((tool) => /^slow$|^éc/.test(tool.name)),
        refused: unknownTool("fail"),
      });
      expect(proxied.tools).not.toHaveLength(direct.tools.length);
    });
  }
});

test("every page is trimmed, and the summary says what the server listed and what was refused", async () => {
  const input = [
    {
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "probe", version: "1" },
      },
    },
    { method: "notifications/initialized" },
    { id: 1, method: "tools/list" },
    { id: 2, method: "tools/list", params: { cursor: "page-2" } },
    { id: 3, method: "tools/call", params: { name: "gamma_v1", arguments: {} } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
    .join("");
  const words = ["--hide", "beta*", "--hide", "gamma_v1", "--", ...fixture("lists-in-pages")];
  const run = await runMeter(home, words, { input });
  expect(run.stdout).toContain("alpha_v1");
  expect(run.stdout).not.toContain("beta_v1");
  expect(run.stdout).toContain('"nextCursor":"page-2"');
  expect(run.stdout).toContain('"message":"Unknown tool: gamma_v1"');
  expect(run.stderr).toMatch(
    /trimmed +~\d+ tokens listed by the server, ~\d+ tokens shown to the client; 2 of 3 tools hidden/,
  );
});
