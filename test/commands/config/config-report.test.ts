import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { printConfig, reportConfig } from "#commands/config/config-report.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";

const at = (env: { readonly [name: string]: string }) => ({ env, platform: "linux" });

const plain = { server: undefined, config: undefined, command: undefined };

function reported(folder: Folder, text: string, env: { readonly [name: string]: string } = {}) {
  mkdirSync(folder.at("mcp-meter"));
  folder.file("mcp-meter/config.json", text);
  return reportConfig(plain, at({ XDG_CONFIG_HOME: folder.path, ...env }));
}

test("an option left out by a mistake has its default", async () => {
  using folder = new Folder();
  const { options, mistakes } = await reported(folder, '{"window": "x", "slow": 3}');
  const byName = new Map(options.map(({ option, ...rest }) => [option, rest]));
  expect(byName.get("window")).toMatchObject({
    value: "the model's",
    source: "default",
    file: null,
  });
  expect(byName.get("slow")).toMatchObject({ value: "3", source: "file" });
  expect(mistakes).toHaveLength(1);
});

test("budgets in a variable replace those in the file", async () => {
  using folder = new Folder();
  const env = { MCP_METER_BUDGET: "a=1 b=2" };
  const { options } = await reported(folder, '{"budgets": [{"limit": 5}]}', env);
  expect(options.find(({ option }) => option === "budget")).toMatchObject({
    value: "a=1 b=2",
    source: "variable",
    variable: "MCP_METER_BUDGET",
    file: null,
  });
});

const start = (flags: readonly string[], more = {}) => ({
  command: "npx",
  args: ["-y", "mcp-meter", ...flags, "--", "./server"],
  ...more,
});
const settings = (mcpServers: unknown) => JSON.stringify({ mcpServers });

test("a server has the options of the clients' settings that start it behind mcp-meter", async () => {
  using home = new Folder();
  mkdirSync(home.at(".cursor"));
  const claude = home.file(
    ".claude.json",
    settings({
      notes: start(["--budget", "5k/session", "--slow", "2"], { env: { MCP_METER_RISK: "1,2,3" } }),
      other: start(["--budget", "6k/session"]),
      direct: { command: "./server" },
    }),
  );
  const cursor = home.file(
    ".cursor/mcp.json",
    settings({ n: start(["--server=notes", "--slow", "2"]) }),
  );
  const world = at({ HOME: home.path });
  const report = await reportConfig({ ...plain, server: "notes" }, world);
  const rows = (name: string) =>
    report.options
      .filter(({ option }) => option === name)
      .map(({ value, source, client, file }) => [value, source, client, file]);
  expect(rows("budget")).toEqual([
    [["5k/session"], "settings", "claude-code", claude],
    [null, "default", "cursor", null],
  ]);
  expect(rows("risk")[0]).toEqual(["1,2,3", "variable", "claude-code", claude]);
  expect(rows("slow")).toEqual([
    ["2", "settings", "claude-code", claude],
    ["2", "settings", "cursor", cursor],
  ]);
  expect(rows("annotate")).toEqual([[false, "default", null, null]]);
  expect(report.clients.map(({ client }) => client)).toEqual(["claude-code", "cursor"]);
  const direct = await reportConfig({ ...plain, server: "direct" }, world);
  expect(direct).toMatchObject({ server: "direct", clients: [] });
});

test("a wrong option in a client's settings is a mistake of that file", async () => {
  using home = new Folder();
  const entry = { command: "mcp-meter", args: ["--window", "x", "--", "./server"] };
  const file = home.file(".claude.json", JSON.stringify({ mcpServers: { notes: entry } }));
  const asked = { ...plain, server: "notes" };
  const { mistakes } = await reportConfig(asked, at({ HOME: home.path }));
  expect(mistakes).toEqual([{ file, fault: expect.stringContaining("--window must be") }]);
});

test("a wrong variable is thrown", async () => {
  await expect(reportConfig(plain, at({ MCP_METER_WINDOW: "x" }))).rejects.toThrow(
    "--window must be",
  );
});

test("unusable files are mistakes with their source", async () => {
  using folder = new Folder();
  const file = folder.at("mcp-meter/config.json");
  const lock = folder.at("none.lock");
  const text = JSON.stringify({ calibration: folder.path, summary_file: "/dev/full" });
  const { mistakes } = await reported(folder, text, { MCP_METER_LOCK: lock });
  expect(mistakes).toEqual([
    {
      file: "MCP_METER_LOCK",
      fault: `lock: Cannot find the lock "${lock}"; create it with "mcp-meter lock -- <command>" or "mcp-meter lock --url <url>"`,
    },
    { file, fault: expect.stringMatching(/^calibration: .*: it is a directory$/) },
    { file, fault: expect.stringMatching(/^summary_file: .*: it is a device, not a regular file/) },
  ]);
});

test("a config that is a directory is a readable mistake", async () => {
  using folder = new Folder();
  mkdirSync(folder.at("mcp-meter/config.json"), { recursive: true });
  const { mistakes } = await reportConfig(plain, at({ XDG_CONFIG_HOME: folder.path }));
  expect(mistakes.map(({ fault }) => fault)).toEqual(["it is a directory"]);
});

test("a server that no client and no config names is told, with the nearest name", async () => {
  using home = new Folder();
  const entry = { command: "mcp-meter", args: ["--", "./server"] };
  home.file(".claude.json", JSON.stringify({ mcpServers: { notes: entry } }));
  const ask = async (server: string) => {
    const { io, stderr } = fakeIo({ env: { HOME: home.path } });
    await printConfig({ ...plain, server, format: "table", output: undefined, isWide: false }, io);
    return stderr();
  };
  expect(await ask("nots")).toBe(
    'mcp-meter: No client starts a server "nots" behind mcp-meter, and no config has a section for it (did you mean notes?); showing the options that a server with this name would get\n',
  );
  expect(await ask("notes")).toBe("");
});
