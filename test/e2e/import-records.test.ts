// The records of `import` over several imports: nothing that one of them knew is lost by the next.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { logsFolder } from "../support/logs.ts";
import { OpenCodeHome } from "../support/opencode-home.ts";
import { filesBelow, type Home, makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeEach(() => {
  home = makeHome();
});

afterEach(() => home.remove());

const importLogs = (...args: readonly string[]) => runMeter(home, ["import", ...args]);

const example = join(logsFolder, "claude-code");
const session = ".claude/projects/-work-demo/11111111-aaaa-4aaa-8aaa-111111111111.jsonl";

/** Calls in all blocks of a report. */
async function reportedCalls(): Promise<number> {
  const { stdout } = await runMeter(home, ["report", "--since", "2026-03-01", "--json"]);
  const blocks: { totals: { calls: number } }[] = JSON.parse(stdout || "{}").blocks ?? [];
  return blocks.reduce((sum, { totals }) => sum + totals.calls, 0);
}

test("names of servers are given once: a later import without them keeps their calls", async () => {
  using made = new OpenCodeHome();
  const from = ["opencode", "--from", made.path];
  const named = await importLogs(...from, "--server", "docs", "--server", "my_notes", "--json");
  expect(await reportedCalls()).toBe(5);
  const later = await importLogs(...from, "--json");
  expect(later.stdout).toBe(named.stdout);
  expect(await reportedCalls()).toBe(5);
});

test("an older copy of a session does not replace its newer records", async () => {
  await importLogs("--from", example);
  const older = join(home.path, "older");
  cpSync(example, older, { recursive: true });
  const lines = readFileSync(join(example, session), "utf8").split("\n");
  writeFileSync(join(older, session), `${lines.slice(0, 8).join("\n")}\n`);
  expect(await reportedCalls()).toBe(6);
  expect((await importLogs("--from", older)).status).toBe(0);
  expect(await reportedCalls()).toBe(6);
});

test("a record that cannot be written stops no other, and is a failure", async () => {
  await importLogs("--from", example);
  const imports = join(home.path, "state/mcp-meter/imports");
  const [blocked = "", ...others] = filesBelow(imports);
  for (const file of [blocked, ...others]) rmSync(file);
  mkdirSync(blocked);
  const { stderr, status, stdout } = await importLogs("--from", example);
  expect(stdout).toContain("85,183");
  expect([stderr, status]).toEqual([
    `mcp-meter: Cannot write the records of 1 conversation to "${imports}": it is a directory\n`,
    1,
  ]);
  expect(others.map((file) => statSync(file).size > 0)).toEqual(others.map(() => true));
});

test("--log replaces an import of its own, for this user only, and nothing else", async () => {
  const file = join(home.path, "records.ndjson");
  const written = async () => {
    const { status } = await importLogs("--from", example, "--log", file);
    return [status, readFileSync(file, "utf8")] as const;
  };
  const first = await written();
  expect(first).toEqual([0, expect.stringContaining('"type":"imported_call"')]);
  expect(await written()).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '{"type":"session","schema_version":"1.0"}\n');
  const { status, stderr } = await importLogs("--from", example, "--log", file);
  expect([status, stderr]).toEqual([
    2,
    `mcp-meter: Cannot write imported records to "${file}": it holds something other than an import\n`,
  ]);
  expect(readFileSync(file, "utf8")).toStartWith('{"type":"session"');
});

test("a time beyond four-digit years, and half of a character, leave records and JSON that can be read", async () => {
  const from = join(home.path, "odd");
  cpSync(example, from, { recursive: true });
  const path = join(from, session);
  const odd = readFileSync(path, "utf8")
    .replaceAll("2026-03-15T00:02:30.000Z", "+275760-09-13T00:00:00.000Z")
    .replaceAll("mcp__docs__search", String.raw`mcp__docs__\ud800search`);
  writeFileSync(path, odd);
  const { stdout } = await importLogs("--from", from, "--json");
  expect(stdout).not.toMatch(/\\ud800|\+275760/);
  const { stderr } = await runMeter(home, ["report", "--since", "2026-03-01"]);
  expect(stderr).toBe("");
});
