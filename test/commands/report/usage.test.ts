import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import { report } from "#commands/report/command.ts";
import type { ReportOptions } from "#commands/report/options.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import type { MeterRecord } from "#records/record.ts";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";
import { callRecord, sessionRecord } from "../../support/made-records.ts";
import { plainUsage, summaryOptions } from "../../support/report-options.ts";
import { reportEstimatorsMax } from "#records/ledger.ts";

const nowMs = Date.parse("2026-11-22T12:00:00.000Z");

const options: ReportOptions = {
  ...summaryOptions,
  format: "json",
  files: [],
  timezone: "UTC",
  usage: plainUsage,
};

const lines = (records: readonly MeterRecord[]): string => records.map(formatRecordLine).join("");

function machine(...days: readonly string[]): Folder {
  const folder = new Folder();
  mkdirSync(folder.at("mcp-meter/sessions/d"), { recursive: true });
  for (const [at, day] of days.entries()) {
    const common = { session_id: `s${at}`, ts: `${day}T10:00:00.000Z` };
    const records = [sessionRecord(common), callRecord({ ...common, seq: 1 })];
    const file = folder.file(`mcp-meter/sessions/d/${at}.ndjson`, lines(records));
    utimesSync(file, Date.parse(common.ts) / 1000, Date.parse(common.ts) / 1000);
  }
  return folder;
}

async function printed(told: Partial<ReportOptions>, env: Readonly<Record<string, string>> = {}) {
  const { io, stdout, stderr } = fakeIo({ env });
  const ending = await report({ ...options, ...told }, io, nowMs);
  expect(ending).toEqual({ code: 0 });
  return { stdout: stdout(), stderr: stderr() };
}

describe("report over time", () => {
  test("without files prints the records of this machine, of the last seven days", async () => {
    using folder = machine(
      "2026-11-14",
      "2026-11-15",
      "2026-11-16",
      "2026-11-18",
      "2026-11-22",
      "2026-11-23",
    );
    const { stdout } = await printed({}, { XDG_STATE_HOME: folder.path });
    expect(JSON.parse(stdout)).toMatchObject({
      first: "2026-11-16",
      last: "2026-11-22 12:00",
      sum: {
        counted_by: [{ share: 1 }],
        totals: { sessions: 3, calls: 3 },
      },
      blocks: [
        {
          totals: { sessions: 3, calls: 3 },
          tables: [
            { by: ["day"], rows: [{ day: "2026-11-16" }, {}, { day: "2026-11-22" }] },
            { by: ["server"], rows: [{ server: "garden", calls: 3 }] },
            { by: ["tool"], rows: [{ tool: "search", calls: 3 }] },
          ],
        },
      ],
    });
  });

  test("a period without records is one line, also before the first session", async () => {
    using folder = machine("2026-11-01");
    const sentence = "mcp-meter: no records for 2026-11-16 to 2026-11-22 12:00, UTC\n";
    const env = { XDG_STATE_HOME: folder.path };
    const older =
      'mcp-meter: The latest records before this period are from 2026-11-01; run "mcp-meter report --since 2026-10-26"\n';
    expect(await printed({ format: "table" }, env)).toEqual({ stdout: sentence, stderr: older });
    const usage = { ...plainUsage, range: { since: undefined, until: "2020-01-01" } };
    expect((await printed({ format: "table", usage }, env)).stderr).toBe(
      "mcp-meter: Found no usage in this period; leave out --until or choose a later day\n",
    );
    const nowSeconds = nowMs / 1000;
    utimesSync(folder.at("mcp-meter/sessions/d/0.ndjson"), nowSeconds, nowSeconds);
    expect((await printed({ format: "table" }, env)).stderr).toBe(
      "mcp-meter: Found no usage in this period; choose an earlier --since\n",
    );
    const missing = { XDG_STATE_HOME: folder.at("no") };
    expect((await printed({ format: "table" }, missing)).stdout).toBe(sentence);
    expect(JSON.parse((await printed({}, env)).stdout)).toMatchObject({ blocks: [] });
  });

  test("what is told about a report stands below it", async () => {
    using folder = machine("2026-11-01");
    const written: string[] = [];
    const { io } = fakeIo({ env: { XDG_STATE_HOME: folder.path } });
    const watch = { write: (text: string) => void written.push(text) };
    const watched = {
      ...io,
      stdout: { ...io.stdout, ...watch },
      stderr: { ...io.stderr, ...watch },
    };
    await report({ ...options, format: "table" }, watched, nowMs);
    expect(written).toEqual([
      expect.stringContaining("no records for"),
      expect.stringContaining("report --since 2026-10-26"),
    ]);
  });

  test("a name that no call has is said, with the nearest one, and so is a period to come", async () => {
    using folder = machine("2026-11-22");
    const env = { XDG_STATE_HOME: folder.path };
    const tell = async (filters: Partial<NameFilters>) => {
      const none = { servers: [], tools: [], clients: [] };
      const usage = { ...plainUsage, filters: { ...none, ...filters } };
      return (await printed({ format: "table", usage }, env)).stderr;
    };
    expect(await tell({ tools: ["serch"] })).toContain(
      ', UTC: no tool is named "serch" (did you mean search?); tools: search, (definitions); servers: garden',
    );
    expect(await tell({ clients: ["hos"] })).toContain('named "hos" (did you mean host?)');
    expect(await tell({ tools: ["sea"] })).toContain('named "sea" (did you mean search?)');
    expect(await tell({ servers: ["zzz"] })).toContain(': no server is named "zzz"; servers:');
    expect(await tell({ tools: ["z*"] })).not.toContain("named");
    const range = { since: "2026-11-23", until: undefined };
    expect(await rejectionOf(printed({ usage: { ...plainUsage, range } }, env))).toBe(
      "UserError: The period cannot begin on 2026-11-23: it is in the future",
    );
  });

  test("JSON has the cost of the table, and --wide its headline, costs and hints", async () => {
    using folder = new Folder();
    const common = { session_id: "s", ts: "2026-11-22T10:00:00.000Z" };
    const records = [
      sessionRecord({ ...common, model: "gpt-5.5", server: "garden" }),
      callRecord({ ...common, seq: 1 }),
    ];
    const files = [folder.file("s.ndjson", lines(records))];
    const { stdout } = await printed({ files });
    expect(JSON.parse(stdout).sum.totals.cost_usd.high).toBeGreaterThan(0);
    for (const isWide of [false, true]) {
      const table = (await printed({ files, format: "table", isWide })).stdout;
      expect(table).toMatch(/tokens in 1 session, 1 call, ~\$/);
      expect(table).toMatch(/^server .+ cost$/m);
      expect(table).toContain("\nmore ");
    }
  });

  test("of a long list of known names, the number of further ones is said", async () => {
    using folder = new Folder();
    const common = { session_id: "s", ts: "2026-11-22T10:00:00.000Z" };
    const calls = Array.from({ length: 13 }, (_, at) =>
      callRecord({ ...common, seq: at + 1, server: `server-${at}` }),
    );
    const files = [folder.file("s.ndjson", lines([sessionRecord(common), ...calls]))];
    const usage = { ...plainUsage, filters: { servers: ["nosuch"], tools: [], clients: [] } };
    const { stderr } = await printed({ files, format: "table", usage });
    expect(stderr).toMatch(/; servers: .+ and \d+ more; clients/);
  });

  test("a day that the period cuts says from when, and is left out without tokens", async () => {
    using folder = machine("2026-11-22");
    const env = { XDG_STATE_HOME: folder.path };
    const usage = { ...plainUsage, range: { since: "24h", until: undefined } };
    const idle = (await printed({ format: "table", usage }, env)).stdout;
    expect(idle).toMatch(/^2026-11-22 +~/m);
    expect(idle).not.toMatch(/^2026-11-21/m);
    const cut = { ...plainUsage, range: { since: "3h", until: undefined } };
    expect((await printed({ format: "table", usage: cut }, env)).stdout).toMatch(
      /^2026-11-22, from 09:00 +~/m,
    );
  });

  test("files are reported over all their time", async () => {
    using folder = machine("2020-01-01", "2026-11-22");
    const files = [folder.at("mcp-meter")];
    const { stdout } = await printed({ files, usage: { ...plainUsage, by: ["month"] } });
    expect(JSON.parse(stdout)).toMatchObject({
      since: null,
      until: null,
      blocks: [{ tables: [{ rows: [{ month: "2020-01" }, { month: "2026-11" }] }] }],
    });
  });

  test("a trend until now has all days, also the last ones without calls", async () => {
    using folder = machine("2026-11-17", "2026-11-19");
    const range = { since: "7d", until: undefined };
    const usage = { ...plainUsage, hasTrend: true, range };
    const days = async (told: Partial<ReportOptions>) =>
      JSON.parse((await printed({ usage, ...told }, { XDG_STATE_HOME: folder.path })).stdout).sum
        .trend.days;
    expect(await days({})).toHaveLength(7);
    // Of files, which may be old, until their newest record.
    expect(await days({ files: [folder.at("mcp-meter")] })).toHaveLength(4);
  });

  test("compares with the seven days before at the same time of the day", async () => {
    using folder = machine("2026-11-09", "2026-11-15", "2026-11-22");
    const env = { XDG_STATE_HOME: folder.path };
    const { stdout } = await printed({ usage: { ...plainUsage, hasTrend: true } }, env);
    expect(JSON.parse(stdout)).toMatchObject({
      first: "2026-11-16",
      blocks: [
        {
          totals: { calls: 1 },
          tables: [],
          trend: {
            before: { first: "2026-11-09", last: "2026-11-15 12:00" },
            days: [
              "2026-11-16",
              "2026-11-17",
              "2026-11-18",
              "2026-11-19",
              "2026-11-20",
              "2026-11-21",
              "2026-11-22",
            ],
            rows: [
              { tool: null, before: { calls: 2 }, now: { calls: 1 }, change: null },
              { tool: "search", daily_tokens: [0, 0, 0, 0, 0, 0, 110] },
            ],
          },
        },
      ],
    });
  });

  test("writes to a file", async () => {
    using folder = machine("2026-11-22");
    const output = folder.at("report.json");
    const env = { XDG_STATE_HOME: folder.path };
    expect((await printed({ output }, env)).stdout).toBe("");
    expect(readFileSync(output, "utf8")).toBe((await printed({}, env)).stdout);
  });

  test("says which lines of which file it skipped", async () => {
    using folder = machine("2026-11-22");
    const file = folder.file("x.ndjson", `${lines([callRecord()])}{"torn`);
    const { stderr } = await printed({ files: [file, folder.path] });
    expect(stderr).toBe(`mcp-meter: Skipped 1 line of "${file}": 1 incomplete\n`);
  });

  test("refuses an unknown time zone, an empty period, and a machine without a home", async () => {
    const { io } = fakeIo();
    const refusal = (told: Partial<ReportOptions>): Promise<string> =>
      rejectionOf(report({ ...options, ...told }, io, nowMs));
    expect(await refusal({ timezone: "Mars/Base" })).toBe(
      'UserError: --timezone must be an IANA name such as Europe/Berlin, not "Mars/Base"',
    );
    expect(await refusal({ timezone: "Berlin", usage: undefined, files: ["r.ndjson"] })).toBe(
      'UserError: --timezone must be an IANA name such as Europe/Berlin, not "Berlin"',
    );
    const range = { since: "2026-11-02", until: "2026-11-01" };
    expect(await refusal({ usage: { ...plainUsage, range } })).toBe(
      "UserError: Cannot report the period from 2026-11-02 to 2026-11-01: it ends before it begins",
    );
    expect(await refusal({})).toBe(
      "UserError: Cannot find the records: set HOME or XDG_STATE_HOME",
    );
  });

  test(`prints ${reportEstimatorsMax} estimators; the sum has all calls`, async () => {
    using folder = new Folder();
    const records = Array.from({ length: reportEstimatorsMax + 2 }, (_, at) => [
      sessionRecord({ session_id: `s${at}`, estimator: `e${String(at).padStart(3, "0")}` }),
      callRecord({ session_id: `s${at}`, seq: 1 }),
    ]).flat();
    const { stdout, stderr } = await printed({ files: [folder.file("r.ndjson", lines(records))] });
    const { sum, blocks } = JSON.parse(stdout);
    expect([blocks.length, sum.totals.calls]).toEqual([
      reportEstimatorsMax,
      reportEstimatorsMax + 2,
    ]);
    expect(stderr).toBe("");
  });
});
