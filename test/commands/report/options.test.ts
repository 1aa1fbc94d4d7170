import { describe, expect, test } from "bun:test";
import { parseReportOptions, reportOptionGroups } from "#commands/report/options.ts";
import type { RawOptions } from "#commands/command.ts";
import { readEnvironment } from "#commands/environment-variables.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { thrownBy } from "../../support/folder.ts";
import { plainUsage, summaryOptions } from "../../support/report-options.ts";

const parse = (options: RawOptions, operands: readonly string[] = ["a"]) =>
  parseReportOptions({ options, operands, child: undefined });

describe("parseReportOptions", () => {
  test("FILE alone is the summary, in any document format", () => {
    expect(parse({})).toEqual({ ...summaryOptions, format: "table", files: ["a"] });
    for (const options of [{ format: "markdown" }, { json: true }, { wide: true, output: "o" }]) {
      expect(parse(options).usage).toBeUndefined();
    }
    expect(parse({ format: "markdown" }).format).toBe("markdown");
    expect(parse({ json: true }).format).toBe("json");
    expect(parse({ timezone: "UTC", output: "o", wide: true })).toMatchObject({
      timezone: "UTC",
      output: "o",
      isWide: true,
      usage: undefined,
    });
  });

  test("without FILE, and with an option about time or rows, it is a report over time", () => {
    expect(parse({}, []).usage).toEqual(plainUsage);
    const options = {
      by: ["week", "tool"],
      since: "20261101",
      until: "24h",
      order: "desc",
      top: "3",
      server: ["a*", "b"],
      tool: ["c"],
      client: ["d"],
    };
    expect(parse(options).usage).toEqual({
      by: ["week", "tool"],
      range: { since: "20261101", until: "24h" },
      order: "desc",
      top: 3,
      hasTrend: false,
      showsResent: false,
      model: undefined,
      filters: { servers: ["a*", "b"], tools: ["c"], clients: ["d"], estimators: [] },
    });
    expect(parse({ trend: true }, []).usage?.hasTrend).toBe(true);
    expect(parse({ trend: true, since: "14d", until: "7d" }, []).usage?.hasTrend).toBe(true);
    expect(() => parse({ trend: true, until: "7d" }, [])).toThrow("--trend requires --since");
    for (const [name, value] of Object.entries(options)) {
      expect(parse({ [name]: value }).usage).toBeDefined();
    }
  });

  test("names after -- may begin with a dash", () => {
    expect(parseReportOptions({ options: {}, operands: ["a"], child: ["-b"] }).files).toEqual([
      "a",
      "-b",
    ]);
  });

  test("three options name the format: --format and --json must agree, --summary yields", () => {
    expect(thrownBy(() => parse({ format: "table", json: true }))).toBe(
      "Cannot combine --format table with --json",
    );
  });

  test.each<[RawOptions, string]>([
    [
      { by: ["minute"] },
      '--by must be one of hour, day, week, month, session, server, tool, model, client, agent, project, machine, user, estimator, confidence, not "minute"',
    ],
    [{ by: ["day", "server", "tool"] }, "--by may be given at most 2 times"],
    [{ by: ["day", "day"] }, "--by day is given twice"],
    [
      { since: "yesterday" },
      '--since must be a date such as 2026-11-01, or an age such as 24h or 7d, not "yesterday" (did you mean 2d?)',
    ],
    [{ since: "30" }, 'not "30" (did you mean 30d?)'],
    [{ until: "yesterday" }, 'not "yesterday" (did you mean 1d?)'],
    [{ until: "2026-02-30" }, "--until must be a date"],
    [{ top: "0" }, '--top must be a whole number of at least 1, not "0"'],
    [{ order: "up" }, '--order must be one of asc, desc, not "up"'],
    [{ format: "xml" }, '--format must be one of table, markdown, json, csv, not "xml"'],
    [
      { trend: true },
      "If FILE, --session or --until is given, --trend requires --since, as in --since 7d",
    ],
    [
      { format: "csv" },
      '--format csv prints one table: choose its rows, as in "mcp-meter report --by day --format csv"',
    ],
    ...["advice", "sequences", "trend"].map((name): [RawOptions, string] => [
      { format: "csv", [name]: true },
      `--${name} cannot be printed as CSV; use --format json, or --by AXIS with --format csv`,
    ]),
  ])("refuses %j", (options, sentence) => {
    expect(thrownBy(() => parse(options))).toContain(sentence);
  });
});

test("--csv is answered with the format of that name", () => {
  const specs = Object.assign({}, ...reportOptionGroups.map((group) => group.options));
  expect(thrownBy(() => readWords(["--csv"], specs, "report"))).toBe(
    'unknown option "--csv"; did you mean --format csv?',
  );
});

test("no variable chooses records or rows: MCP_METER_SERVER names the server of a session", () => {
  const specs = Object.assign({}, ...reportOptionGroups.map(({ options }) => options));
  const variables = Object.keys(specs).map((name) => [`MCP_METER_${name.toUpperCase()}`, "x"]);
  expect(Object.keys(readEnvironment(specs, Object.fromEntries(variables)))).toEqual([
    "timezone",
    "machine",
    "format",
    "json",
    "wide",
    "cost",
    "prices",
  ]);
});
