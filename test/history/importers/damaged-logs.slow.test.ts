// Damaged and hostile logs: no failure, never more than the whole, and damage is counted. CUTS=all cuts at every byte.
import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Importer } from "#history/imports/importer.ts";
import { type ClientReport, reportClient } from "#history/imports/import-report.ts";
import { mergeLogs, type ReadLog } from "#history/imports/merge-logs.ts";
import { geminiCli } from "#history/importers/gemini-cli.ts";
import { importers } from "#history/importers/index.ts";
import { importLineBytesMax } from "#kit/limits.ts";
import { findLogs, listLogFolders, type LogFile } from "#state/storage/logs/find-logs.ts";
import { readLog } from "#state/storage/logs/read-log.ts";
import { DatabaseHome } from "../../support/database-home.ts";
import { Folder } from "../../support/folder.ts";
import { mutated, seeded } from "../../support/hostile-logs.ts";
import { always, logsFolder, plainUtils } from "../../support/logs.ts";
import { OpenCodeHome } from "../../support/opencode-home.ts";

setDefaultTimeout(600_000);

const cutsPerFile = process.env["CUTS"] === "all" ? Infinity : 40;

const clients = [
  "gemini-cli",
  "opencode",
  "qwen-code",
  "copilot-cli",
  "goose",
  "amp",
  "vs-code",
  "kilo-code",
  "cline",
  "roo-code",
  "kimi-code",
  "continue",
] as const;

const servers = ["docs", "my_notes", "server"];

const homes = (id: (typeof clients)[number]): readonly string[] =>
  id === "gemini-cli"
    ? [join(logsFolder, id), join(logsFolder, "real", id)]
    : [join(logsFolder, id)];

const listFiles = (importer: Importer, home: string): readonly LogFile[] =>
  findLogs(listLogFolders(importer, { folder: home, env: {}, platform: "linux" })).files;

async function readPlainLog(importer: Importer, log: LogFile): Promise<ReadLog> {
  const outcome = await readLog(log, importer, plainUtils);
  if (!("fault" in outcome)) return outcome;
  return { events: [], counts: { bad: 1, torn: 0, unknown: 0 } };
}

const report = (importer: Importer, logs: readonly ReadLog[]): ClientReport =>
  reportClient(importer.name, mergeLogs(logs, servers), { range: always, knownServers: servers });

const collectNumbers = ({ usage, mcp_calls: calls }: ClientReport): readonly number[] => [
  ...Object.values(usage),
  calls,
];

const damageLog = ({ bad_lines: bad, torn_lines: torn, unknown_records: unknown }: ClientReport) =>
  bad + torn + unknown;

function makeCuts(bytes: number): readonly number[] {
  const step = Math.max(1, Math.floor(bytes / cutsPerFile));
  return Array.from({ length: Math.ceil(bytes / step) }, (_, at) => at * step);
}

function isInside(bytes: Uint8Array, end: number, form: LogFile["form"]): boolean {
  const rest = Buffer.from(bytes.subarray(end));
  if (form === "document") return end > 0 && rest.toString().trim() !== "";
  return end > 0 && bytes[end - 1] !== 0x0a && rest[0] !== 0x0a && rest.length > 0;
}

async function expectCutsToBeLess(importer: Importer, home: string): Promise<number> {
  using folder = new Folder();
  const files = listFiles(importer, home);
  const logs = await Promise.all(files.map((log) => readPlainLog(importer, log)));
  const whole = collectNumbers(report(importer, logs));
  let cuts = 0;
  for (const [at, log] of files.entries()) {
    const bytes = readFileSync(log.file);
    for (const end of makeCuts(bytes.length)) {
      const file = folder.file("cut", bytes.subarray(0, end));
      const read = await readPlainLog(importer, { ...log, file });
      const cut = report(importer, logs.with(at, read));
      if (isInside(bytes, end, log.form))
        expect(read.counts.torn + read.counts.bad).toBeGreaterThan(0);
      for (const [index, number] of collectNumbers(cut).entries()) {
        expect(number).toBeLessThanOrEqual(whole[index] ?? 0);
      }
      cuts += 1;
    }
  }
  return cuts;
}

describe.each(clients)("%s", (id) => {
  const importer = importers[id];

  test("a file that is cut at any byte has no more than the whole file", async () => {
    let cuts = 0;
    for (const home of homes(id)) cuts += await expectCutsToBeLess(importer, home);
    expect(cuts).toBeGreaterThan(20);
  });

  test("hostile values anywhere cause neither a failure nor an impossible number", async () => {
    using folder = new Folder();
    const random = seeded(id.length);
    for (const home of homes(id)) {
      for (const log of listFiles(importer, home)) {
        const text = readFileSync(log.file, "utf8");
        for (let run = 0; run < 12; run += 1) {
          const file = folder.file("hostile", mutated(text, log.form === "lines", random));
          const found = report(importer, [await readPlainLog(importer, { ...log, file })]);
          for (const number of collectNumbers(found)) {
            expect(Number.isFinite(number) && number >= 0).toBe(true);
          }
          expect(JSON.stringify(found)).toBeString();
          if (log.form === "lines") expect(found.bad_lines).toBeGreaterThanOrEqual(3);
        }
      }
    }
  });
});

const answer = (id: string) =>
  `{"id":"${id}","type":"gemini","model":"m","tokens":{"input":1,"output":1}}\n`;

test("a line over the limit is skipped and counted, and the lines around it are read", async () => {
  using folder = new Folder();
  const file = folder.file("long.jsonl", "");
  const long = Buffer.alloc(importLineBytesMax + 1, 0x20);
  long[0] = 0x7b;
  writeFileSync(
    file,
    Buffer.concat([Buffer.from(answer("a")), long, Buffer.from(`\n${answer("b")}`)]),
  );
  const path = "demo/chats/session-x.jsonl";
  const found = report(geminiCli, [
    await readPlainLog(geminiCli, { file, path, form: "lines", group: "" }),
  ]);
  expect([found.usage.requests, found.bad_lines]).toEqual([2, 1]);
});

describe.each(["kilo-code", "crush"] as const)("the database of %s", (id) => {
  const importer = importers[id];
  const readFile = async (file: string): Promise<ClientReport> =>
    report(importer, [
      await readPlainLog(importer, { file, path: "x.db", form: "database", group: "" }),
    ]);

  test("has no more if cut anywhere, and damaged bytes cause no failure", async () => {
    using home = new DatabaseHome(id);
    using folder = new Folder();
    const [database = ""] = home.databases;
    const whole = collectNumbers(await readFile(database));
    expect(whole.at(-1)).toBeGreaterThan(1);
    const bytes = readFileSync(database);
    for (const end of makeCuts(bytes.length)) {
      const cut = await readFile(folder.file("cut.db", bytes.subarray(0, end)));
      for (const [index, number] of collectNumbers(cut).entries()) {
        expect(number).toBeLessThanOrEqual(whole[index] ?? 0);
      }
    }
    const random = seeded(7);
    for (let run = 0; run < 60; run += 1) {
      const damaged = Buffer.from(bytes);
      for (let at = 0; at < 1 + run * 4; at += 1) damaged[random(damaged.length)] = random(256);
      for (const number of collectNumbers(await readFile(folder.file("damaged.db", damaged)))) {
        expect(Number.isFinite(number)).toBe(true);
      }
    }
  });
});

const log = (file: string): LogFile => ({ file, path: "opencode.db", form: "database", group: "" });

describe("the database of OpenCode", () => {
  const { opencode } = importers;

  test("has no more if cut anywhere", async () => {
    using home = new OpenCodeHome();
    using folder = new Folder();
    const whole = collectNumbers(
      report(opencode, [await readPlainLog(opencode, log(home.database))]),
    );
    const bytes = readFileSync(home.database);
    for (const end of makeCuts(bytes.length)) {
      const file = folder.file("cut.db", bytes.subarray(0, end));
      const cut = report(opencode, [await readPlainLog(opencode, log(file))]);
      for (const [index, number] of collectNumbers(cut).entries()) {
        expect(number).toBeLessThanOrEqual(whole[index] ?? 0);
      }
    }
  });

  test("is read with damaged bytes", async () => {
    using home = new OpenCodeHome();
    using folder = new Folder();
    const random = seeded(5);
    const bytes = readFileSync(home.database);
    for (let run = 0; run < 60; run += 1) {
      const damaged = Buffer.from(bytes);
      for (let at = 0; at < 1 + run * 4; at += 1) damaged[random(damaged.length)] = random(256);
      const file = folder.file("damaged.db", damaged);
      const found = report(opencode, [await readPlainLog(opencode, log(file))]);
      for (const number of collectNumbers(found)) expect(Number.isFinite(number)).toBe(true);
    }
  });

  test("with another schema or a row over the limit has its other rows, and counts the rest", async () => {
    using home = new OpenCodeHome();
    {
      using database = new Database(home.database);
      database.run("DROP TABLE session");
      database.run(
        `INSERT INTO part VALUES ('prt_long','msg_1','ses_1',1,1,hex(zeroblob(${importLineBytesMax / 2 + 1})))`,
      );
      database.run("INSERT INTO part VALUES ('prt_blob','msg_1','ses_1',1,1,zeroblob(100))");
    }
    const found = report(opencode, [await readPlainLog(opencode, log(home.database))]);
    expect([found.usage.requests, found.bad_lines, found.unknown_records]).toEqual([4, 2, 1]);
    expect(damageLog(found)).toBe(3);
  });
});
