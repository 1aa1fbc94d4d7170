import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
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
import { legacyInput, legacyLines } from "./lines.ts";
import { lockstep } from "./lockstep.ts";
import { makeHome, runBare, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

const home = makeHome();

afterAll(() => home.remove());

type Calls = Parameters<typeof legacyLines>[0];

type Case = {
  readonly name: string;
  readonly server: () => ServerCommand;
  /** Calls whose answers do not depend on the order in which they are served. */
  readonly reads: () => Calls;
  readonly writes?: () => Calls;
};

function freshFolder(): string {
  const folder = join(home.path, "garden");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  plant(folder);
  return folder;
}

function freshGraph(): string {
  const file = join(home.path, "graph.jsonl");
  rmSync(file, { force: true });
  return file;
}

const cases: readonly Case[] = [
  {
    name: "server-everything",
    server: everything,
    reads: () => [
      ["echo", { message: "Olá – 你好 👋" }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-tiny-image", {}],
      ["get-sum", { a: "two" }],
      ["no-such-tool", {}],
      ["trigger-long-running-operation", { duration: 0.2, steps: 2 }],
    ],
  },
  {
    name: "server-filesystem",
    server: () => filesystem(freshFolder()),
    reads: () => {
      const folder = join(home.path, "garden");
      return [
        ["directory_tree", { path: folder }],
        ["read_text_file", { path: join(folder, "plants.txt") }],
        ["read_media_file", { path: join(folder, "pixels.png") }],
        ["read_text_file", { path: "/etc/passwd" }],
      ];
    },
    writes: () => {
      const path = join(home.path, "garden", "new.txt");
      return [
        ["write_file", { path, content: "one\n" }],
        ["read_text_file", { path }],
      ];
    },
  },
  {
    name: "server-memory",
    server: () => memory(freshGraph()),
    reads: () => [
      ["search_nodes", { query: "hills" }],
      ["open_nodes", { names: 7 }],
    ],
    writes: () => [
      [
        "create_entities",
        { entities: [{ name: "Ana", entityType: "person", observations: ["gardens"] }] },
      ],
      ["read_graph", {}],
      ["open_nodes", { names: ["Ana"] }],
    ],
  },
  {
    name: "legacy fixture",
    server: legacy,
    reads: () => [
      ["weather", { city: "Lisbon" }],
      ["slow", { steps: 2 }],
    ],
  },
  {
    name: "modern fixture",
    server: modern,
    reads: () => [
      ["weather", { city: "Lisbon" }],
      ["slow", { steps: 2 }],
    ],
  },
];

const withHome = (server: ServerCommand): ServerCommand => ({
  ...server,
  env: { ...server.env, ...home.env },
});

async function poured({ server, reads }: Case, through: boolean) {
  const start = withHome(server());
  const { argv, env } = through ? metered(start) : start;
  const { stdout, status } = await runBare(argv, { input: legacyInput(reads()), env });
  return { stdout, status };
}

async function conversed({ server, reads, writes }: Case, through: boolean) {
  const start = withHome(server());
  const speaker = lockstep(through ? metered(start) : start);
  const calls = [...reads(), ...(writes?.() ?? [])];
  for (const line of legacyLines(calls)) await speaker.say(line);
  return speaker.finish();
}

const sorted = (text: string): string[] => text.split("\n").toSorted();

describe("stdout through the executable", () => {
  for (const each of cases) {
    const isSlow = each.name.startsWith("server-");
    test(`${each.name}: one request at a time, byte for byte${slowIf(isSlow)}`, async () => {
      const alone = await conversed(each, false);
      const behind = await conversed(each, true);
      expect(behind).toEqual(alone);
      expect(alone.stdout.split("\n").length).toBeGreaterThan(3);
    });

    // Servers answer what arrives in one read in an order of their own, so only the order may differ.
    test(`${each.name}: all lines poured in at once, line for line (slow)`, async () => {
      const alone = await poured(each, false);
      const behind = await poured(each, true);
      expect(sorted(behind.stdout)).toEqual(sorted(alone.stdout));
      expect(behind.status).toBe(alone.status);
    });
  }
});
