import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { report } from "#commands/report/command.ts";
import { parseReportOptions, reportOptionGroups } from "#commands/report/options.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { axes } from "#history/reports/usage-report.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";
import { ownSchema } from "../support/report-schemas.ts";
import { madeUsage } from "../support/made-usage.ts";

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());

const nowMs = Date.UTC(2026, 10, 13, 11);
const specs = Object.assign({}, ...reportOptionGroups.map(({ options }) => options));

beforeAll(() => {
  for (const [at, records] of madeUsage().entries()) {
    const day = records[0]?.ts.slice(0, 10) ?? "";
    mkdirSync(folder.at(day), { recursive: true });
    folder.file(join(day, `${at}.ndjson`), records.map(formatRecordLine).join(""));
  }
});

async function printed(line: string, columns?: number): Promise<string> {
  const terminal = columns === undefined ? {} : { columns, isTerminal: true };
  const { io, stdout, stderr } = fakeIo({ env: { NO_COLOR: "1" }, stdout: terminal });
  const { flags, operands } = readWords(line.split(" "), specs, "report");
  const options = parseReportOptions({ options: flags, operands, child: undefined });
  await report({ ...options, files: [folder.path] }, io, nowMs);
  expect(stderr()).toBe("");
  return `$ mcp-meter report ${line}\n${stdout()}`;
}

async function pages(lines: readonly string[], columns?: number): Promise<string> {
  const texts: string[] = [];
  for (const line of lines) texts.push(await printed(line, columns));
  return texts.join("\n");
}

function expectGolden(name: string, text: string): void {
  const file = join(import.meta.dir, "../fixtures/reports", name);
  if (process.env["GOLDEN"] === "update") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(readFileSync(file, "utf8"));
}

const berlin = "--timezone Europe/Berlin";
const byEach = axes.map((axis) =>
  axis === "session" ? `${berlin} --by session --top 5` : `${berlin} --by ${axis}`,
);
const twoAxes = [
  `${berlin} --by week --by server --top 2`,
  `${berlin} --by server --by tool --order asc`,
  `${berlin} --by client --by model`,
  `${berlin} --by tool --by month --server git*`,
];
const choices = [
  `${berlin} --since 2026-10-24 --until 20261026 --by day`,
  `${berlin} --since 48h --by session`,
  `${berlin} --by tool --tool *file --tool query`,
  `${berlin} --by client --client claude-*`,
  `${berlin} --by day --order desc --since 2026-11-10`,
  `${berlin} --since 2020-01-01 --until 2020-01-02 --by day`,
  `${berlin} --wide --by server`,
  berlin,
];

const trends = [
  `${berlin} --trend --since 7d`,
  `${berlin} --trend --since 2026-10-25 --until 2026-11-07 --top 6`,
  `${berlin} --trend --by week --since 2026-10-26 --server memory`,
];

describe("golden reports", () => {
  for (const columns of [40, 80, 200]) {
    test(`of each axis fit ${columns} columns`, async () => {
      const text = await pages([...byEach, ...twoAxes], columns);
      const lines = text.split("\n").filter((line) => !line.startsWith("$ "));
      expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(columns);
      expectGolden(`table-${columns}.txt`, text);
    });
  }

  test("of each axis in a pipe shorten nothing", async () => {
    expectGolden("table.txt", await pages([...byEach, ...twoAxes]));
  });

  for (const format of ["markdown", "csv", "json"]) {
    test(`of each axis as ${format}`, async () => {
      const lines = [...byEach, ...twoAxes]
        .map((line) => (line.includes("--top") ? line : `${line} --top 3`))
        .map((line) => `${line} --format ${format}`);
      expectGolden(`${format}.txt`, await pages(lines));
    });
  }

  test("of each axis fit the published schema as JSON", async () => {
    const fits = ownSchema("report");
    for (const line of ["", ...trends, ...byEach, ...twoAxes].map((one) =>
      `${one} --json`.trim(),
    )) {
      const [, ...json] = (await printed(line)).split("\n");
      expect([line, fits(JSON.parse(json.join("\n"))), fits.errors]).toEqual([line, true, null]);
    }
  });

  test("of chosen periods, names and orders", async () => {
    expectGolden("choices.txt", await pages(choices));
  });

  test("of trends, with bars on a terminal alone", async () => {
    expectGolden("trend-80.txt", await pages(trends, 80));
    expectGolden("trend-120.txt", await pages(trends, 120));
    expectGolden("trend.txt", await pages(trends));
  });

  test("days of two time zones around the ends of their summer times", async () => {
    const zones = ["Europe/Berlin", "America/New_York", "Pacific/Kiritimati"];
    const days = "--since 2026-10-24 --until 2026-11-02 --by day";
    expectGolden("zones.txt", await pages(zones.map((zone) => `--timezone ${zone} ${days}`)));
  });
});
