// `doctor` of a real home, in order and not.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { commandSchema } from "../support/report-schemas.ts";
import { legacy } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { filesBelow, type Home, makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeEach(() => {
  home = makeHome();
});

afterEach(() => home.remove());

const state = (): string => join(home.path, "state", "mcp-meter");

test("doctor finds a used home in order but for the PATH, and changes nothing", async () => {
  const input = legacyInput([["echo", { message: "hello" }]]);
  await runMeter(home, ["--budget", "90k/day", "--", ...legacy().argv], { input });
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

test("doctor says of three clients which servers are behind mcp-meter", async () => {
  const put = (name: string, text: string): void => {
    const file = join(home.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  put(".cursor/mcp.json", '{"mcpServers": {"a": {"command": "mcp-meter", "args": ["--", "x"]}}}');
  put(".codex/config.toml", '[mcp_servers.b]\ncommand = "npx"\nenv = { KEY = "secret" }\n');
  put("config/goose/config.yaml", "extensions: [unclosed\n");
  const before = filesBelow(home.path);
  const { stdout, stderr } = await runMeter(home, ["doctor", "--json"]);
  expect(stderr).toBe("");
  expect(stdout).not.toContain("secret");
  const report = JSON.parse(stdout);
  expect(commandSchema("doctor")(report)).toBe(true);
  const found = report.findings.filter(({ check }: Record<string, string>) => check === "clients");
  expect(found).toMatchObject([
    { status: "warning", detail: "1 of 1 server of Codex CLI is not behind mcp-meter: b" },
    { status: "ok", detail: "Cursor: 1 server behind mcp-meter" },
    { status: "warning", detail: expect.stringContaining("it cannot be read as YAML") },
  ]);
  expect(filesBelow(home.path)).toEqual(before);
});

test("doctor takes no arguments", async () => {
  expect((await runMeter(home, ["doctor", "x"])).status).toBe(2);
});
