import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { report } from "#commands/report/command.ts";
import type { UsageOptions } from "#commands/report/options.ts";
import { readUsage } from "#commands/report/read-usage.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { TimeZone } from "#history/reports/calendar.ts";
import type { TotalsPlan } from "#history/reports/removed-usage.ts";
import { removeFiles } from "#state/storage/prune/remove-files.ts";
import { readTotals, writeTotals } from "#state/storage/prune/totals-file.ts";
import { type Axis, axes } from "#history/reports/usage-report.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";
import { madeUsage } from "../../support/made-usage.ts";
import { plainUsage, summaryOptions } from "../../support/report-options.ts";

const nowMs = Date.parse("2026-11-22T12:00:00.000Z");

const usage = { ...plainUsage, range: { since: "20260901", until: undefined } };

function machine(folder: Folder) {
  const day = folder.at("mcp-meter", "sessions", "2026-10-15");
  mkdirSync(day, { recursive: true });
  return madeUsage().map((records, at) => {
    const path = `${day}/${String(at).padStart(6, "0")}-made-0a1b2c3d.ndjson`;
    writeFileSync(path, records.map(formatRecordLine).join(""));
    return { path, kind: "records" as const, bytes: statSync(path).size, changedMs: 0 };
  });
}

async function printed(folder: Folder, told: Partial<UsageOptions>, isCosted = false) {
  const { io, stdout, stderr } = fakeIo({ env: { XDG_STATE_HOME: folder.path } });
  const options = { ...summaryOptions, format: "json" as const, files: [], isCosted };
  await report({ ...options, timezone: "Europe/Berlin", usage: { ...usage, ...told } }, io, nowMs);
  return { report: JSON.parse(stdout()), stderr: stderr() };
}

function withoutSessions(value: unknown): unknown {
  const text = JSON.stringify(value, (key, member) => (key === "sessions" ? undefined : member));
  return { ...JSON.parse(text), removed: undefined };
}

const choices: readonly Partial<UsageOptions>[] = [
  ...axes
    .filter((axis) => !["session", "hour", "confidence"].includes(axis))
    .map((axis) => ({ by: [axis] })),
  { by: ["day", "tool"] as readonly Axis[] },
  { by: ["week", "server"] as readonly Axis[], top: 2 },
  { by: ["tool"], filters: { servers: ["git*"], tools: ["*_code"], clients: ["c*"] } },
  { by: [], range: { since: "2026-11-01", until: "2026-11-12" }, hasTrend: true },
];

test("the totals of removed records give the numbers that their records gave", async () => {
  using folder = new Folder();
  const files = machine(folder);
  const before = await Promise.all(choices.map((choice) => printed(folder, choice, true)));
  const state = folder.at("mcp-meter");
  for (const rest of [0, 1]) {
    await removeFiles(
      state,
      files.filter((_, at) => at % 2 === rest),
      "Europe/Berlin",
    );
    const after = await Promise.all(choices.map((choice) => printed(folder, choice, true)));
    for (const [at, choice] of choices.entries()) {
      const [reportBefore, reportAfter] = [before[at]?.report, after[at]?.report];
      expect([choice, withoutSessions(reportAfter)]).toEqual([
        choice,
        withoutSessions(reportBefore),
      ]);
      expect(reportAfter.removed.days_left_out).toBe(0);
      expect(after[at]?.stderr).toBe("");
    }
    const sums = (reports: typeof before): unknown =>
      reports[0]?.report.blocks.map((block: { totals: unknown }) => block.totals);
    expect(sums(after)).toEqual(sums(before));
  }
});

test("there are no totals by session, and a note says so", async () => {
  using folder = new Folder();
  const files = machine(folder);
  await removeFiles(folder.at("mcp-meter"), files.slice(0, 100), "Europe/Berlin");
  const { report: bySession } = await printed(folder, { by: ["day", "session"] });
  expect(bySession.removed).toMatchObject({ first: null, last: null, sessions: 0 });
  expect(bySession.removed.days_left_out).toBeGreaterThan(10);
  const { report: byDay } = await printed(folder, { by: ["day"] });
  expect(byDay.removed).toMatchObject({ first: "2026-10-15", days_left_out: 0 });
});

test("a file that is being removed is in the totals, and counts once", async () => {
  using folder = new Folder();
  const files = machine(folder).slice(0, 3);
  const state = folder.at("mcp-meter");
  const texts = files.map(({ path }) => readFileSync(path));
  const before = await printed(folder, { by: ["day"] });
  await removeFiles(state, files, "Europe/Berlin");
  const saved = readTotals(state);
  if (!saved) return expect.unreachable();
  // As if the process were killed before it removed them.
  for (const [at, { path }] of files.entries()) writeFileSync(path, texts[at] ?? "");
  const removing = files.map(({ path }) => path.slice(state.length + 1));
  writeTotals(state, { ...saved, removing });
  const during = await printed(folder, { by: ["day"] });
  expect(withoutSessions(during.report)).toEqual(withoutSessions(before.report));
});

test("records removed while they are read are read again, and after some attempts reported", async () => {
  using folder = new Folder();
  const files = machine(folder).slice(0, 2);
  const state = folder.at("mcp-meter");
  const zone = new TimeZone("UTC");
  const { io } = fakeIo({ env: { XDG_STATE_HOME: folder.path } });
  const range = { fromMs: -Infinity, toMs: Infinity };
  const read = async (replacements: number): Promise<readonly [number, readonly string[]]> => {
    let left = replacements;
    const plan: TotalsPlan = {
      ranges: [range],
      // Asked for when the totals have been read and the records have not.
      get zone() {
        if (left > 0) writeTotals(state, readTotals(state) ?? { zone, removing: [], totals: [] });
        left -= 1;
        return zone;
      },
      nowMs,
      needsRecords: false,
    };
    const said: string[] = [];
    const { facts } = await readUsage([], plan, io, {
      tell: (sentence) => void said.push(sentence),
    });
    return [facts.reduce((calls, { sums }) => calls + sums.calls, 0), said];
  };
  const [calls, said] = await read(0);
  expect([calls > 100, said]).toEqual([true, []]);
  await removeFiles(state, files, "UTC");
  expect(await read(2)).toEqual([calls, []]);
  const [, sentences] = await read(Infinity);
  expect(sentences.join()).toStartWith("Records were removed while they were being read");
});

test("named files have no totals, and totals that cannot be read are reported", async () => {
  using folder = new Folder();
  const files = machine(folder);
  await removeFiles(folder.at("mcp-meter"), files.slice(0, 100), "UTC");
  const { io, stdout } = fakeIo({ env: { XDG_STATE_HOME: folder.path } });
  const options = { ...summaryOptions, format: "json" as const, timezone: "UTC", usage };
  await report({ ...options, files: [folder.path] }, io, nowMs);
  expect(JSON.parse(stdout()).removed).toBeUndefined();
  writeFileSync(folder.at("mcp-meter", "day-totals.json"), "{");
  const { report: rest, stderr } = await printed(folder, {});
  expect(stderr).toStartWith("mcp-meter: Cannot read the totals");
  expect(rest.blocks.length).toBeGreaterThan(0);
});
