import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandSchema } from "../support/report-schemas.ts";
import { small } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, runMeter } from "./run.ts";

const home = eachHome();

const state = (): string => join(home.path, "state", "mcp-meter");

test("doctor finds a used home in order but for the PATH, and changes nothing", async () => {
  const input = legacyInput([["echo", { message: "hello" }]]);
  await runMeter(home, ["--budget", "90k/day", "--", ...small().argv], { input });
  const before = filesBelow(home.path);
  const { stdout, stderr, status } = await runMeter(home, ["doctor", "--json"]);
  expect([status, stderr]).toEqual([0, ""]);
  const report = JSON.parse(stdout);
  const validate = commandSchema("doctor");
  expect([validate(report), validate.errors]).toEqual([true, null]);
  const checks = report.findings.map(
    ({ check, status: found }: Record<string, string>) => `${check} ${found}`,
  );
  expect(checks.filter((check: string) => !check.startsWith("disk"))).toEqual([
    "executable warning",
    "state folder ok",
    "config ok",
    "policy ok",
    "environment ok",
    "budget counters ok",
    "sessions ok",
    "imports ok",
    "day totals ok",
    "machine id ok",
    "clients ok",
  ]);
  expect(filesBelow(home.path)).toEqual(before);
});

test("doctor ends with 1 when something is broken, with the command that fixes it", async () => {
  mkdirSync(state(), { recursive: true });
  chmodSync(state(), 0o777);
  writeFileSync(join(home.path, "state", "x"), "");
  const { stdout, status } = await runMeter(home, ["doctor"], { env: { MCP_METER_BUDEGT: "1" } });
  expect(status).toBe(1);
  expect(stdout).toContain(`chmod 700 ${state()}`);
  expect(stdout).toContain("did you mean MCP_METER_BUDGET?");
  expect(stdout).not.toContain("\u001b");
});

test("doctor does not fail in a bare environment", async () => {
  const env = { HOME: "", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "", PATH: "/usr/bin:/bin" };
  const { stdout, stderr, status } = await runMeter(home, ["doctor"], { env });
  expect([status, stderr]).toEqual([1, ""]);
  expect(stdout).toContain("neither HOME nor XDG_STATE_HOME");
});
