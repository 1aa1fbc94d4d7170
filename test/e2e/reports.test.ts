import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findUnsafeText } from "../support/hostile.ts";
import { replay, scratch } from "../support/replay.ts";
import { badgeSchema, junitObjections, ownSchema, sarifSchema } from "../support/report-schemas.ts";
import { makeHome, runMeter } from "./run.ts";

setDefaultTimeout(60_000);

const home = makeHome();
const folder = scratch();
afterAll(() => home.remove());

const formats = ["table", "markdown", "json", "junit", "sarif", "github", "badge"] as const;
type Format = (typeof formats)[number];

type Reports = { readonly [format in Format]: string };

const fitsSarif = sarifSchema();
const fitsBadge = badgeSchema();
const own = { check: ownSchema("check"), lock: ownSchema("lock"), failure: ownSchema("failure") };

const hostileName =
  "::error::h\u001b[2J|`<b>&\"'\u202e\uffff,\n##[group]@x]]></failure><!-- -->\u0000";
const hostile = {
  server: hostileName,
  version: hostileName,
  tools: [
    {
      name: hostileName,
      description: hostileName,
      inputSchema: { type: "object", properties: { [hostileName]: { enum: [hostileName] } } },
    },
  ],
};
const plain = {
  server: "one",
  version: "1",
  tools: [{ name: "search", description: "Search", inputSchema: { type: "object" } }],
};
const changed = {
  ...plain,
  tools: [{ ...plain.tools[0], description: "Search everything by its words" }, { name: "new" }],
};

const serverOf = (name: string, definitions: object): string[] =>
  replay(folder.write(`${name}.json`, definitions), "--answer=40");
const servers = {
  plain: serverOf("plain", plain),
  changed: serverOf("changed", changed),
  hostile: serverOf("hostile", hostile),
};
const dead = ["sh", "-c", "echo '::error::dead' >&2; exit 7"];

async function reportsOf(args: readonly string[], server: readonly string[]) {
  const files = formats.map((format) => [format, join(folder.path, `report.${format}`)] as const);
  const targets = files.flatMap(([format, file]) => ["--format", `${format}=${file}`]);
  const { status, stdout, stderr } = await runMeter(home, [...args, ...targets, "--", ...server], {
    cwd: folder.path,
  });
  const read = files.map(([format, file]) => [format, readFileSync(file, "utf8")]);
  const reports: Reports = Object.fromEntries(read) as Reports;
  return { status, stdout, stderr, reports };
}

async function expectValid(reports: Reports, kind: keyof typeof own): Promise<void> {
  expect(await junitObjections(reports.junit)).toEqual([]);
  expect(reports.junit).not.toMatch(/<testsuite [^>]*tests="0"/);
  fitsSarif(JSON.parse(reports.sarif));
  expect(fitsSarif.errors ?? []).toEqual([]);
  fitsBadge(JSON.parse(reports.badge));
  expect(fitsBadge.errors ?? []).toEqual([]);
  own[kind](JSON.parse(reports.json));
  expect(own[kind].errors ?? []).toEqual([]);
  expect(reports.markdown).toMatch(
    /^<!-- mcp-meter check: [\w%.-]+ -->\n\n### (?:Passed|Failed): /,
  );
  for (const text of Object.values(reports)) {
    expect(findUnsafeText(text.replaceAll("\n", ""))).toEqual([]);
  }
  expect(commands(reports.github)).toBeLessThanOrEqual(1);
}

function commands(log: string): number {
  const shield = /^::stop-commands::(.*)$/m.exec(log)?.[1];
  const open = shield === undefined ? log : (log.split(`\n::${shield}::\n`)[1] ?? "");
  return open.split("\n").filter((line) => line.startsWith("::")).length;
}

const calls = folder.write("calls.json", [
  { tool: "search", budget: 1_000, name: "the search" },
  { tool: "search", isError: true, name: hostileName },
]);
const passingCalls = folder.write("passing.json", [{ tool: "search", budget: "1k" }]);

const commandLines = [
  ["check", "check", ["check"], ["check"]],
  [
    "check --calls",
    "check",
    ["check", "--calls", passingCalls],
    ["check", "--calls", calls, "--budget", "search=2", "--budget", "1:warn"],
  ],
  ["lock --check", "lock", ["lock", "--check"], ["lock", "--check"]],
] as const;

const locked = async (server: readonly string[], name: string): Promise<string> => {
  const file = join(folder.path, `${name}.lock`);
  await runMeter(home, ["lock", "--lock", file, "--", ...server]);
  return file;
};

describe.each(commandLines)("the reports of %s are valid", (_, kind, passing, failing) => {
  test("when it passed", async () => {
    const lock = await locked(servers.plain, "plain");
    const { status, reports } = await reportsOf([...passing, "--lock", lock], servers.plain);
    expect(status).toBe(0);
    await expectValid(reports, kind);
    expect(reports.junit).toContain('failures="0" errors="0"');
    expect(JSON.parse(reports.sarif).runs[0].results).toEqual([]);
    expect(JSON.parse(reports.badge)).toMatchObject({ color: "brightgreen" });
  });

  test("when it failed, with the line of the tool in the lock", async () => {
    const lock = await locked(servers.plain, "plain");
    const { status, reports } = await reportsOf([...failing, "--lock", lock], servers.changed);
    expect(status).toBe(1);
    await expectValid(reports, kind);
    expect(reports.junit).toContain("<failure type=");
    expect(JSON.parse(reports.badge)).toMatchObject({ color: "red" });
    const found: { locations: { physicalLocation: { region: { startLine: number } } }[] }[] =
      JSON.parse(reports.sarif).runs[0].results;
    const lines = readFileSync(lock, "utf8").split("\n");
    const startLines = found.map((one) => one.locations[0]?.physicalLocation.region.startLine ?? 0);
    expect(startLines.some((line) => line > 1 && lines[line - 1] === "    {")).toBe(true);
  });

  test("when every name is hostile (slow)", async () => {
    const lock = await locked(servers.hostile, "hostile");
    const bare = kind === "lock" ? ["lock", "--check"] : ["check"];
    const same = await reportsOf([...bare, "--lock", lock], servers.hostile);
    expect(same.status).toBe(0);
    await expectValid(same.reports, kind);
    const { status, reports } = await reportsOf([...failing, "--lock", lock], servers.plain);
    expect(status).toBe(1);
    await expectValid(reports, kind);
  });
});

const failingLines = commandLines.filter(([name]) => name !== "check --calls");

describe.each(failingLines)("the reports of %s are valid", (_, _kind, passing, _failing) => {
  test("when the server does not start, with its exit code", async () => {
    const lock = await locked(servers.plain, "plain");
    const { status, stdout, stderr, reports } = await reportsOf([...passing, "--lock", lock], dead);
    expect({ status, stdout }).toEqual({ status: 3, stdout: "" });
    expect(stderr).toContain('mcp-meter: Cannot connect to "sh"');
    await expectValid(reports, "failure");
    expect(reports.table).toBe("");
    expect(JSON.parse(reports.json)).toMatchObject({ failed: true, exit_code: 3 });
    expect(reports.junit).toContain('failures="0" errors="1"');
    expect(reports.github).toStartWith("::error title=mcp-meter::Cannot connect");
    expect(JSON.parse(reports.badge)).toMatchObject({ message: "unknown", isError: true });
  });

  test("when the lock is missing, and when a program is", async () => {
    const missing = await reportsOf([...passing, "--lock", "gone.lock"], servers.plain);
    expect(missing.status).toBe(2);
    await expectValid(missing.reports, "failure");
    const lock = await locked(servers.plain, "plain");
    const absent = await reportsOf([...passing, "--lock", lock], ["no-such-program"]);
    expect(absent.stderr).toContain("command not found");
    await expectValid(absent.reports, "failure");
  });
});

test("the reports of check are valid when a calls file has a mistake, with its line", async () => {
  const lock = await locked(servers.plain, "plain");
  const torn = folder.write("torn.yaml", "- tool: search\n- tol: search\n");
  const args = ["check", "--calls", torn, "--lock", lock];
  const { status, reports } = await reportsOf(args, servers.plain);
  expect(status).toBe(2);
  await expectValid(reports, "failure");
  const [{ physicalLocation: place }] = JSON.parse(reports.sarif).runs[0].results[0].locations;
  expect(place).toEqual({ artifactLocation: { uri: "torn.yaml" }, region: { startLine: 2 } });
  expect(JSON.parse(reports.json).place).toEqual({ file: torn, line: 2 });
});

test("lock writes reports too: what it accepted is a warning", async () => {
  const lock = join(folder.path, "written.lock");
  await runMeter(home, ["lock", "--lock", lock, "--", ...servers.plain]);
  const { status, reports } = await reportsOf(["lock", "--lock", lock], servers.changed);
  expect(status).toBe(0);
  expect(await junitObjections(reports.junit)).toEqual([]);
  expect(reports.junit).toContain('failures="0" errors="0"');
  fitsSarif(JSON.parse(reports.sarif));
  expect(fitsSarif.errors ?? []).toEqual([]);
  expect(reports.github).toContain("\n::warning title=mcp-meter%3A one::");
  expect(reports.markdown).toContain("- **result**: written to ");
  own.lock(JSON.parse(reports.json));
  expect(own.lock.errors ?? []).toEqual([]);
});
