import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandSchema, ownSchema } from "../support/report-schemas.ts";
import { call, initialize } from "../support/rpc.ts";
import { small } from "../support/servers.ts";
import { fixture, metered } from "../support/session.ts";
import { eventually } from "../support/wait.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { runMeter } from "./run.ts";

const home = eachHome();

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["fail", {}],
]);

const session = (options: readonly string[] = []) =>
  runMeter(home, ["--summary", "off", ...options, "--", ...small().argv], { input });

const state = (...names: readonly string[]): string =>
  join(home.path, "state", "mcp-meter", ...names);

function age(path: string, days: number): void {
  const seconds = Date.now() / 1000 - days * 86_400;
  utimesSync(path, seconds, seconds);
}

function prune(...options: readonly string[]) {
  return runMeter(home, ["prune", ...options]);
}

test("lists files first, removes them with --yes, and keeps their totals", async () => {
  await session();
  await session();
  for (const file of home.logs()) age(file, 100);
  await session();
  const [listed, kept] = [await prune("--older-than", "90d"), home.logs()];
  expect(listed.stdout).toStartWith("Would remove 2 files, ");
  expect(kept).toHaveLength(3);
  const { stdout, status, stderr } = await prune("--older-than", "90d", "--yes", "--json");
  expect([status, stderr]).toEqual([0, ""]);
  const report = JSON.parse(stdout);
  const validate = commandSchema("prune");
  expect([validate(report), validate.errors]).toEqual([true, null]);
  expect(report).toMatchObject({
    is_dry_run: false,
    live: 1,
    failed: 0,
    files: [{ reason: "age" }, { reason: "age" }],
  });
  expect(home.logs()).toHaveLength(1);
  const { columns, rows, removing } = JSON.parse(readFileSync(state("day-totals.json"), "utf8"));
  expect(removing).toEqual([]);
  const sum = (name: string): number =>
    rows.reduce(
      (all: number, row: readonly unknown[]) => all + Number(row[columns.indexOf(name)]),
      0,
    );
  expect([sum("sessions"), sum("calls"), sum("errors")]).toEqual([2, 4, 2]);
  const whole = await runMeter(home, ["report", ...home.logs(), "--json"]);
  expect(sum("input_tokens")).toBe(2 * JSON.parse(whole.stdout).total.input_tokens);
  const again = await prune("--older-than", "90d", "--yes");
  expect(again.stdout).toStartWith("Nothing to remove");
});

test("a report has the same numbers after records are removed, and says so (slow)", async () => {
  await session();
  await session();
  const numbers = async (): Promise<unknown> => {
    const { stdout } = await runMeter(home, ["report", "--by", "server", "--json"]);
    const report = JSON.parse(stdout);
    const validate = ownSchema("report");
    expect([validate(report), validate.errors]).toEqual([true, null]);
    const [block] = report.blocks;
    return [block.totals, block.tables];
  };
  const before = await numbers();
  for (const file of home.logs()) age(file, 2);
  await prune("--older-than", "1d", "--yes");
  expect(home.logs()).toHaveLength(0);
  expect(await numbers()).toEqual(before);
  const printed = await runMeter(home, ["report", "--by", "server"]);
  expect(printed.stdout).toContain("includes the daily totals of removed records");
  const advice = await runMeter(home, ["report", "--advice"]);
  expect(advice.stderr).toMatch(
    /Left out the daily totals of \d+ days? whose records were removed/,
  );
});

test("never removes the files of a session that runs, nor any that is not ours", async () => {
  await using running = metered(fixture("honest"), { flags: ["--summary", "off"] });
  await running.ask(initialize());
  await running.ask(call(1, "echo"));
  const path = await eventually("records", () => running.logPaths[0]);
  const endsWithCheckpoint = (): boolean => {
    const records = running
      .log()
      .records.toSorted((one, other) => Number(one["seq"]) - Number(other["seq"]));
    return records.at(-1)?.type === "end" && records.some(({ type }) => type === "call");
  };
  await eventually("the checkpoint", endsWithCheckpoint);
  age(path, 400);
  const folder = join(running.stateDir, "mcp-meter");
  writeFileSync(join(folder, "notes.txt"), "mine");
  age(join(folder, "notes.txt"), 400);
  const env = { XDG_STATE_HOME: running.stateDir };
  const args = ["prune", "--older-than", "1d", "--keep-bytes", "0", "--yes"];
  const during = await runMeter(home, args, { env });
  expect(during.stdout).toContain("1 session not touched: running, or ended less than an hour ago");
  expect([existsSync(path), existsSync(join(folder, "notes.txt"))]).toEqual([true, true]);
  await running.finish();
  age(path, 400);
  const after = await runMeter(home, args, { env });
  expect(after.stdout).toStartWith("Removed 1 file");
  expect([existsSync(path), existsSync(join(folder, "notes.txt"))]).toEqual([false, true]);
});

test("a retention in the config removes old records after a session, which does not wait", async () => {
  await session();
  await session();
  const [old = "", fresh = ""] = home.logs();
  age(old, 100);
  age(fresh, 2);
  mkdirSync(join(home.path, "config", "mcp-meter"), { recursive: true });
  const config = join(home.path, "config", "mcp-meter", "config.json");
  writeFileSync(config, '{"prune_older_than": "90d"}');
  expect((await session()).stderr).toBe("");
  await eventually("the removal", () => !existsSync(old));
  expect(existsSync(fresh)).toBe(true);
  await eventually("the totals", () => existsSync(state("day-totals.json")));
});

test("is off by default, and removes nothing where all files are old, as by a wrong clock", async () => {
  await session();
  const [old = ""] = home.logs();
  age(old, 100);
  await session();
  expect(existsSync(old)).toBe(true);
  for (const file of home.logs()) age(file, 100);
  const { stdout } = await prune("--older-than", "90d", "--automatic", "--yes");
  expect(stdout).toStartWith("Nothing to remove");
  expect(home.logs()).toHaveLength(2);
  const { stderr } = await prune("--imported", "codex", "--automatic", "--yes");
  expect(stderr).toContain("Cannot combine --automatic with --imported");
});
