import { expect, test } from "bun:test";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { importers } from "#history/importers/index.ts";
import { type LogOptions, parseLogOptions } from "#commands/import/options.ts";
import { readClients } from "#commands/import/read-clients.ts";
import { mergeLogs } from "#history/imports/merge-logs.ts";
import { readLog } from "#state/storage/logs/read-log.ts";
import { Folder, rejectionOf, thrownBy } from "../../support/folder.ts";
import { capturedIo } from "../../support/io.ts";
import { plainUtils } from "../../support/logs.ts";

const fixture = join(import.meta.dir, "../../fixtures/logs/claude-code");

async function read(options: Partial<LogOptions>, env = {}) {
  const told: string[] = [];
  const reading = {
    io: capturedIo(env),
    tell: (sentence: string) => void told.push(sentence),
    earlierChoices: undefined,
  };
  const clients = await readClients(
    { clients: [], homes: [], servers: [], usesSettings: false, ...options },
    reading,
    async ({ id, files, servers }) => {
      const logs = await Promise.all(files.map((log) => readLog(log, importers[id], plainUtils)));
      const whole = logs.flatMap((log) => ("fault" in log ? [] : [log]));
      return whole.length === 0 ? undefined : { id, servers, logs: mergeLogs(whole, servers) };
    },
  );
  return { told, clients };
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
  mkdirSync(folder.at("other"));
  const { told: toldOfTwo } = await read({ homes: [...homes, folder.at("other")] });
  const both = `in the home folders "${folder.at("home")}" and "${folder.at("other")}";`;
  expect(toldOfTwo).toEqual([expect.stringContaining(both)]);
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

test("logs that cannot be read are not called missing", async () => {
  using folder = new Folder();
  mkdirSync(folder.at(".local/share/opencode"), { recursive: true });
  folder.file(".local/share/opencode/opencode.db", "no database");
  for (const clients of [[], ["opencode"]] as const) {
    expect(await read({ homes: [folder.path], clients })).toEqual({ told: [], clients: [] });
  }
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
  expect(thrownBy(() => parse(""))).toStartWith('Cannot import logs of ""; the clients are ');
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
