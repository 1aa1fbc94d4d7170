import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { clients, type Connection, type TestClient } from "../support/clients.ts";
import { plant } from "../support/golden-sessions.ts";
import {
  everything,
  filesystem,
  legacy,
  memory,
  metered,
  modern,
  type ServerCommand,
} from "../support/servers.ts";
import { slowIf } from "../support/slow-cases.ts";
import { type Home, makeHome, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeAll(() => {
  home = makeHome();
  mkdirSync(join(home.path, "garden"));
  plant(join(home.path, "garden"));
});

afterAll(() => home.remove());

type Call = readonly [tool: string, args: Record<string, unknown>];

type Target = {
  readonly name: string;
  readonly eras: "legacy" | "both";
  /** One client is enough: what clients do differently shows with server-everything. */
  readonly only?: string;
  readonly server: () => ServerCommand;
  readonly calls: () => readonly Call[];
};

const fixtureCalls: readonly Call[] = [
  ["echo", { message: "hello" }],
  ["weather", { city: "Lisbon" }],
  ["picture", {}],
  ["fail", {}],
  ["no-such-tool", {}],
  ["slow", { steps: 3 }],
];

const targets: readonly Target[] = [
  {
    name: "server-everything",
    eras: "legacy",
    server: everything,
    calls: () => [
      ["echo", { message: "hello" }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-tiny-image", {}],
      ["no-such-tool", {}],
      ["trigger-long-running-operation", { duration: 0.4, steps: 2 }],
    ],
  },
  {
    name: "server-filesystem",
    eras: "legacy",
    only: "sdk-v1",
    server: () => filesystem(join(home.path, "garden")),
    calls: () => [
      ["read_text_file", { path: join(home.path, "garden", "plants.txt") }],
      ["read_text_file", { path: "/etc/passwd" }],
    ],
  },
  {
    name: "server-memory",
    eras: "legacy",
    only: "sdk-v2-auto",
    server: () => memory(join(home.path, "no-graph.jsonl")),
    calls: () => [
      ["read_graph", {}],
      ["open_nodes", { names: 7 }],
    ],
  },
  {
    name: "legacy fixture",
    eras: "legacy",
    server: legacy,
    calls: () => [...fixtureCalls, ["ask-model", {}], ["ask-person", {}], ["list-roots", {}]],
  },
  {
    name: "modern fixture",
    eras: "both",
    server: modern,
    calls: () => [...fixtureCalls, ["plan", {}]],
  },
];

const canSpeak = (client: TestClient, target: Target): boolean =>
  (client.speaks !== "modern" || target.eras === "both") &&
  (target.only === undefined || target.only === client.name);

// Progress is left to the comparison of bytes: an SDK drops the steps that arrive in one read with the
// result, so what a client sees of them depends on how busy the machine is.
async function callAll(connection: Connection, calls: readonly Call[]) {
  const outcomes = [];
  for (const [tool, args] of calls) {
    outcomes.push({ tool, outcome: await connection.callTool(tool, args, []) });
  }
  return outcomes;
}

async function session(client: TestClient, server: ServerCommand, calls: readonly Call[]) {
  const connection = await client.connect({ ...server, env: { ...server.env, ...home.env } });
  try {
    const tools = await connection.listTools();
    const outcomes = await callAll(connection, calls);
    return { greeting: connection.greeting, tools, outcomes };
  } finally {
    await connection.close();
  }
}

// One client of each era in every run, the others in the slow part.
const usual: ReadonlySet<string> = new Set([
  "sdk-v1 to server-everything",
  "sdk-v1 to legacy fixture",
  "sdk-v2-modern to modern fixture",
]);

describe("a client behind the executable sees what it sees without it", () => {
  for (const target of targets) {
    for (const client of clients.filter((each) => canSpeak(each, target))) {
      const title = `${client.name} to ${target.name}`;
      test(`${title}${slowIf(!usual.has(title))}`, async () => {
        const calls = target.calls();
        const [alone, behind] = await Promise.all([
          session(client, target.server(), calls),
          session(client, metered(target.server()), calls),
        ]);
        expect(behind).toEqual(alone);
        expect(alone.tools.length).toBeGreaterThan(0);
        expect(alone.outcomes.map(({ tool }) => tool)).toEqual(calls.map(([tool]) => tool));
      });
    }
  }

  test("a client that insists on 2026 is refused by a legacy server in the same words", async () => {
    const client = clients.find(({ speaks }) => speaks === "modern");
    const refusal = (server: ServerCommand) =>
      client?.connect({ ...server, env: { ...server.env, ...home.env } }).then(
        () => "connected",
        (error: unknown) => String(error),
      );
    const [alone, behind] = await Promise.all([refusal(legacy()), refusal(metered(legacy()))]);
    expect(behind).toBe(alone);
    expect(alone).not.toBe("connected");
  });
});
