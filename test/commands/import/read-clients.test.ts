import { expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ClientEstimators } from "#commands/import/log-tools.ts";
import { type LogOptions, parseLogOptions, readClients } from "#commands/import/read-clients.ts";
import { mergeLogs } from "#history/imports/merge-logs.ts";
import { unpackLog } from "#state/storage/logs/log-cache.ts";
import { Folder, rejectionOf, thrownBy } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";

const fixture = join(import.meta.dir, "../../fixtures/logs/claude-code");

async function read(options: Partial<LogOptions>, env = {}) {
  const told: string[] = [];
  const shown: string[] = [];
  const io = capturedIo(env);
  const clients = await readClients(
    { clients: [], homes: [], servers: [], usesSettings: false, ...options },
    {
      io,
      toolOptions: { countsTokens: false, key: "", namesProjects: false, keepsEntries: true },
      estimators: new ClientEstimators(),
      tell: (sentence) => void told.push(sentence),
      progress: {
        showProgress: (text) => void shown.push(text),
        clearProgress: () => void shown.push(""),
      },
    },
    ({ id, logs, servers }) => ({ id, servers, logs: mergeLogs(logs.map(unpackLog), servers) }),
  );
  return { told, shown, clients };
}

test("clients without logs are left out, and a named one is reported", async () => {
  using folder = new Folder();
  mkdirSync(folder.at("home"));
  const homes = [folder.at("home")];
  expect(await read({ homes })).toMatchObject({
    clients: [],
    told: [expect.stringContaining("logs")],
  });
  const { told } = await read({ homes, clients: ["claude-code"] });
  expect(told).toEqual([expect.stringContaining("Claude Code")]);
});

test("two homes with the same sessions have each request once", async () => {
  const [once] = (await read({ homes: [fixture] })).clients;
  const [twice] = (await read({ homes: [fixture, fixture] })).clients;
  const requests = [once, twice].map((client) => client?.logs.requests);
  expect(requests[0]?.length).toBe(8);
  expect(requests[1]).toEqual(requests[0]);
});

test("the user's home is read if none is named; without a home there is a sentence", async () => {
  expect((await read({}, { HOME: fixture })).clients.map(({ id }) => id)).toEqual(["claude-code"]);
  expect(await rejectionOf(read({}, {}))).toContain("set HOME");
});

const parse = (...operands: readonly string[]) =>
  parseLogOptions({ options: { client: ["codex"] }, operands, child: undefined });

test("a home that is not there is a mistake, and so is an unknown client, with the nearest name", async () => {
  using folder = new Folder();
  const missing = folder.at("nope");
  expect(await rejectionOf(read({ homes: [fixture, missing] }))).toContain(
    `Cannot read the logs in "${missing}": no such folder`,
  );
  expect(parse("amp").clients).toEqual(["amp", "codex"]);
  expect(thrownBy(() => parse("claude"))).toStartWith(
    'Cannot import logs of "claude" (did you mean claude-code?); the clients are claude-code, ',
  );
});

test("progress is shown file by file, and cleared", async () => {
  const { shown } = await read({ homes: [fixture] });
  expect(shown).toEqual([
    "Reading the logs of Claude Code: file 1 of 3",
    "Reading the logs of Claude Code: file 2 of 3",
    "Reading the logs of Claude Code: file 3 of 3",
    "",
  ]);
});

test("names of servers are read from settings only where the user wants it", async () => {
  using folder = new Folder();
  cpSync(fixture, folder.path, { recursive: true });
  folder.file(".claude.json", '{"mcpServers": {"a b": {"env": {"KEY": "x"}}}}');
  const readServers = async (options: Partial<LogOptions>) =>
    (await read({ homes: [folder.path], servers: ["docs"], ...options })).clients[0]?.servers;
  expect(await readServers({})).toEqual(["docs"]);
  expect(await readServers({ usesSettings: true })).toEqual(["docs", "a b"]);
});
