import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { has } from "../support/needs.ts";
import { commandSchema } from "../support/report-schemas.ts";
import { executable, small } from "../support/servers.ts";
import { bare, metered } from "../support/session.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, onlyLog, runBare, runMeter } from "./run.ts";

const home = eachHome();

const input = legacyInput([["echo", { message: "hello" }]]);

const session = (options: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  runMeter(home, [...options, "--", ...small().argv], { input, env });

function writeConfig(text: string): string {
  const folder = join(home.path, "config", "mcp-meter");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "config.json");
  writeFileSync(file, text);
  return file;
}

describe("a mistake in a config that the command line does not name", () => {
  const mistaken = '{"summary": "off", "windwo": 5, "tokenizer": "fruit", "server": "kept"}';

  test("is one line and fault records; the server runs, and the rest holds", async () => {
    const file = writeConfig(mistaken);
    const { stdout, stderr, status } = await session();
    expect(status).toBe(0);
    expect(stdout).toContain("hello");
    expect(stderr).toBe(
      `mcp-meter: Ignoring a mistake in the config "${file}": unknown property "windwo" (did you mean "window"?), and 1 more mistake; see "mcp-meter config"\n`,
    );
    const records = await onlyLog(home);
    expect(new Set(records.map(({ server }) => server))).toEqual(new Set(["kept"]));
    const faults = records.filter(({ type }) => type === "fault");
    expect(faults.map(({ where, what }) => [where, what])).toEqual([
      ["config", "unknown property"],
      ["config", "tokenizer"],
    ]);
  });

  const rows: readonly (readonly [name: string, text: string, what: string])[] = [
    ["a file that is not JSON", '{"summary": "off"', "not valid JSON on line 1"],
    ["a lock that is not there", '{"lock": "~/none.lock", "enforce_lock": true}', "lock"],
  ];
  for (const [name, text, what] of rows) {
    test(`does not stop a server: ${name}`, async () => {
      writeConfig(text);
      const { stdout, stderr, status } = await session(["--summary", "off"]);
      expect([status, stdout.includes("hello")]).toEqual([0, true]);
      expect(stderr).toMatch(/^mcp-meter: Ignoring .+\n$/);
      expect(await onlyLog(home)).toContainEqual(
        expect.objectContaining({ type: "fault", where: "config", what }),
      );
    });
  }

  test('with on_fault "closed" every call is refused', async () => {
    writeConfig('{"summary": "off", "on_fault": "closed", "budgets": [{"limit": "lots"}]}');
    const { stdout, status } = await session();
    expect(status).toBe(1);
    expect(stdout).not.toContain('"text":"hello"');
    expect(stdout).toContain("The configuration of its limits has a mistake");
    expect(stdout).toContain('"tools":[');
    const breach = (await onlyLog(home)).find(({ type }) => type === "breach");
    expect(breach).toMatchObject({ budget: "on-fault closed", is_enforced: true, tool: "echo" });
  });

  test("and so it is when that wish is in a file that is not JSON, or in a variable", async () => {
    writeConfig('{"on_fault": "closed" "summary": "off"}');
    expect((await session()).status).toBe(1);
    writeConfig('{"window": 0}');
    expect((await session([], { MCP_METER_ON_FAULT: "closed" })).status).toBe(1);
  });
});

test("a mistake in a config that the command line names ends with 125 before the server starts", async () => {
  const file = join(home.path, "mine.json");
  for (const text of ['{"windwo": 5}', '{"tokenizer": "fruit"}', '{"lock": "none.lock"}', "{"]) {
    writeFileSync(file, text);
    const run = await runMeter(home, ["--config", file, "--", "sh", "-c", "echo started"]);
    expect([run.status, run.stdout]).toEqual([125, ""]);
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
  }
});

test("~ is the home in paths of files, variables and flags", async () => {
  writeConfig('{"log": "~/from-file.ndjson", "summary": "markdown"}');
  await session(["--summary-file=~/from-flag.md"]);
  await session(["--summary", "off"], { MCP_METER_LOG: "~/from-variable.ndjson" });
  for (const name of ["from-file.ndjson", "from-flag.md", "from-variable.ndjson"]) {
    expect(readFileSync(join(home.path, name), "utf8")).toContain("echo");
  }
});

const hasMounts = has("unshare -m", "the system config");

test.if(hasMounts)("the system config holds below the user's own", async () => {
  const etc = join(home.path, "etc");
  mkdirSync(join(etc, "mcp-meter"), { recursive: true });
  writeFileSync(
    join(etc, "mcp-meter", "config.json"),
    '{"summary": "off", "server": "etc", "servers": {"user": {"window": 7000}}, "oops": 1}',
  );
  writeConfig('{"server": "user"}');
  const script = 'mount --bind "$0" /etc && exec "$@"';
  const under = ["unshare", "-m", "sh", "-c", script, etc, executable()];
  const { env } = home;
  const run = await runBare([...under, "--", ...small().argv], { input, env, cwd: home.path });
  expect([run.status, run.stdout.includes("hello")]).toEqual([0, true]);
  expect(run.stderr).toBe(
    'mcp-meter: Ignoring a mistake in the config "/etc/mcp-meter/config.json": unknown property "oops"; see "mcp-meter config"\n',
  );
  expect((await onlyLog(home))[0]).toMatchObject({ type: "session", server: "user", window: 7000 });
  const shown = await runBare([...under, "config", "--json"], { env, cwd: home.path });
  const { options } = JSON.parse(shown.stdout);
  expect(options).toContainEqual(
    expect.objectContaining({
      option: "window",
      value: "7000",
      source: "file",
      file: "/etc/mcp-meter/config.json",
      section: "user",
    }),
  );
});

describe("config", () => {
  test("prints each option with its value and its source", async () => {
    const file = writeConfig(
      `{"model": "m", "budgets": [{"tool": "a", "limit": "2k"}, {"limit": 5, "per": "day"}],
        "servers": {"git": {"slow": 2.5}}}`,
    );
    const { stdout, status } = await runMeter(home, ["config", "--server", "git"], {
      env: { MCP_METER_COUNT_WITH: "o200k" },
    });
    expect(status).toBe(0);
    const lines = stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, " | "));
    expect(lines).toEqual(
      expect.arrayContaining([
        "Options of mcp-meter run for git",
        "tokenizer | o200k | MCP_METER_COUNT_WITH",
        `model | m | ${file}`,
        `budget | a=2k 5/day | ${file}`,
        `slow | 2.5 | ${file}, servers.git`,
        "warn-at | 80 | default",
        "annotate | false | default",
        `read | ${file}`,
        "servers | git",
      ]),
    );
  });

  test("prints JSON by its schema", async () => {
    writeConfig('{"model": "m", "window": 0, "log": "~/l", "annotate": true}');
    const { stdout, stderr, status } = await runMeter(home, ["config", "--json"]);
    expect([status, stderr]).toEqual([1, ""]);
    const report: unknown = JSON.parse(stdout);
    const validate = commandSchema("config-report");
    expect([validate(report), validate.errors]).toEqual([true, null]);
    expect(report).toMatchObject({
      server: null,
      mistakes: [{ fault: "window must be a whole number of at least 1, not 0" }],
      options: expect.arrayContaining([
        expect.objectContaining({ option: "log", value: join(home.path, "l"), source: "file" }),
        expect.objectContaining({ option: "annotate", value: true }),
        expect.objectContaining({ option: "window", value: "the model's", source: "default" }),
      ]),
    });
  });

  test("finds the section of a command", async () => {
    writeConfig('{"servers": {"server-git": {"window": 5}}}');
    const args = ["config", "--json", "--", "npx", "-y", "@scope/server-git@1"];
    const { stdout } = await runMeter(home, args);
    expect(JSON.parse(stdout)).toMatchObject({ server: "server-git", servers: ["server-git"] });
  });

  test("masks the secrets of URLs, in values and in mistakes", async () => {
    writeConfig('{"log": "redis://user:hunter2@host/1", "window": "redis://u:hunter2@h"}');
    for (const format of ["table", "json", "markdown"]) {
      const { stdout } = await runMeter(home, ["config", "--format", format]);
      expect(stdout).toContain("user:");
      expect(stdout).not.toContain("hunter2");
    }
  });

  test("ends with 2 for a mistake in the file that it is given", async () => {
    const { stdout, status } = await runMeter(home, ["config", "--config", "none.json"]);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

describe("MCP_METER_DISABLE", () => {
  const disabled = { MCP_METER_DISABLE: "1" };

  test("passes bytes and the exit code, and keeps and prints nothing", async () => {
    writeConfig('{"oops": 1}');
    const script = "cat; printf 'not json\\nno newline'; echo to-stderr >&2; exit 7";
    const argv = ["sh", "-c", script];
    const options = ["--budegt", "5", "--log", "x", "--summary-file", "y", "--"];
    const run = await runMeter(home, [...options, ...argv], { input, env: disabled });
    expect(run).toEqual(await runBare(argv, { input }));
    expect(filesBelow(home.path)).toEqual([join(home.path, "config/mcp-meter/config.json")]);
  });

  test("starts the server with the process, the signals and the environment of a bare one", async () => {
    const script = "echo $$; grep -E '^Sig(Blk|Ign)' /proc/self/status; printenv HOME";
    const options = { env: disabled };
    await using wrapped = metered(["sh", "-c", script], options);
    await wrapped.finish();
    await using alone = bare(["sh", "-c", script], options);
    await alone.finish();
    const [pid, ...rest] = wrapped.stdout.text.split("\n");
    expect(Number(pid)).toBe(wrapped.pid);
    const [, ...restAlone] = alone.stdout.text.split("\n");
    expect(rest.slice(0, 2)).toEqual(restAlone.slice(0, 2));
  });

  test("runs a script without an interpreter line, as other starters do", async () => {
    const script = join(home.path, "script");
    writeFileSync(script, 'echo "ran $1"\nexit 5\n', { mode: 0o755 });
    const run = await runMeter(home, ["--", script, "a"], { env: disabled });
    expect(run).toEqual({ stdout: "ran a\n", stderr: "", status: 5 });
  });

  test("ends by the signal that ends the server", async () => {
    const run = await runMeter(home, ["--", "sh", "-c", "kill -TERM $$"], { env: disabled });
    expect(run.status).toBe(143);
  });

  test("reports a command that cannot be started", async () => {
    const run = await runMeter(home, ["--", "/none/at/all"], { env: disabled });
    expect([run.status, run.stdout]).toEqual([127, ""]);
  });

  test("of 0, false and no meters as ever", async () => {
    for (const value of ["0", "false", "no", ""]) {
      const { stderr } = await session([], { MCP_METER_DISABLE: value });
      expect(stderr).toContain("echo");
    }
  });

  test("leaves the other commands as they are", async () => {
    const { stdout, status } = await runMeter(home, ["config"], { env: disabled });
    expect([status, stdout.includes("MCP_METER_DISABLE is set")]).toEqual([0, true]);
    expect((await runMeter(home, ["--version"], { env: disabled })).status).toBe(0);
  });
});
