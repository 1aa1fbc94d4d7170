import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { collectArguments } from "#commands/collect-arguments.ts";
import { budgetsCommand } from "#commands/budgets/index.ts";
import type { RawOptions } from "#commands/command.ts";
import { commands } from "#commands/index.ts";
import { profileCommand } from "#commands/profile/index.ts";
import { readWords } from "#commands/parse-command-line.ts";
import { runCommand } from "#commands/run/index.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder } from "../support/folder.ts";

async function collected(env: { readonly [name: string]: string }, flags: RawOptions = {}) {
  const { io, stderr } = fakeIo({ env });
  const line = { flags, operands: [], child: ["npx", "-y", "@scope/server-git@1"] };
  const args = await collectArguments(runCommand, line, io);
  return { ...args, told: stderr() };
}

function withConfig(folder: Folder, text: string): { readonly [name: string]: string } {
  mkdirSync(folder.at("mcp-meter"));
  folder.file("mcp-meter/config.json", text);
  return { XDG_CONFIG_HOME: folder.path, HOME: "/h" };
}

test("without a config file the arguments are those of the line", async () => {
  using folder = new Folder();
  const { options, config, told } = await collected(
    { XDG_CONFIG_HOME: folder.path },
    { window: "5" },
  );
  expect([options, config, told]).toEqual([{ window: "5" }, undefined, ""]);
});

test("flags override variables, which override the server's section, which overrides the file", async () => {
  using folder = new Folder();
  const text = `{"window": 1, "slow": 2, "model": "m", "log": "~/l", "client": "c",
    "servers": {"server-git": {"window": 3, "slow": 4, "log": "~/g"}, "other": {"window": 5}}}`;
  const env = { ...withConfig(folder, text), MCP_METER_SLOW: "6", MCP_METER_MODEL: "v" };
  const { options, config, told } = await collected(env, { model: "f" });
  expect(options).toEqual({ window: "3", slow: "6", model: "f", log: "/h/g", "as-client": "c" });
  expect(config).toMatchObject({ implicit: new Set(["window", "log", "as-client"]), faults: [] });
  expect(told).toBe("");
});

test("a section is found by the name that the user gave the server, be it in the file", async () => {
  using folder = new Folder();
  const text = '{"server": "named", "servers": {"named": {"window": 1}, "flag": {"window": 2}}}';
  const env = withConfig(folder, text);
  expect((await collected(env)).options).toMatchObject({ window: "1" });
  expect((await collected(env, { server: "flag" })).options).toMatchObject({ window: "2" });
  expect((await collected(env, { server: "none" })).options["window"]).toBeUndefined();
});

test("mistakes in an implicit file are one line, and the rest applies", async () => {
  using folder = new Folder();
  const env = withConfig(
    folder,
    '{"window": 0, "tokenizer": "fruit", "model": "m", "risk": [3, 2, 1]}',
  );
  const { options, config, told } = await collected(env);
  expect(options).toEqual({ model: "m" });
  expect(config).toMatchObject({
    implicit: new Set(["model"]),
    faults: ["window", "tokenizer", "risk"],
  });
  expect(told).toBe(
    `mcp-meter: Ignoring a mistake in the config "${folder.at("mcp-meter/config.json")}": window must be a whole number of at least 1, not 0, and 2 more mistakes; see "mcp-meter config"\n`,
  );
});

test("a file that a variable names is implicit, one that a flag names is not", async () => {
  using folder = new Folder();
  const config = folder.at("none.json");
  const { told, config: applied } = await collected({ MCP_METER_CONFIG: config });
  expect(told).toContain(`"${config}": no such file or directory; see`);
  expect(applied?.faults).toEqual(["ENOENT"]);
  await expect(collected({}, { config })).rejects.toThrow("Cannot read the config");
});

test("a path that needs a home is a mistake in its file", async () => {
  using folder = new Folder();
  const { XDG_CONFIG_HOME = "" } = withConfig(folder, '{"log": "~/l", "model": "m"}');
  const { options, told } = await collected({ XDG_CONFIG_HOME });
  expect(options).toEqual({ model: "m" });
  expect(told).toContain('Cannot expand "~/l" in --log: set HOME');
  await expect(collected({ MCP_METER_LOG: "~/l" })).rejects.toThrow("Cannot expand");
});

describe("a variable for another command", () => {
  const server = ["./server"];
  const lines: readonly (readonly [line: string, child: readonly string[] | undefined])[] = [
    ["profile --configured --yes", undefined],
    ["profile", server],
    ["profile --exact --model claude-opus-5", server],
    ["lock --json", server],
    ["lock --format table", server],
    ["check", server],
    ["check --no-lock --max-total 9", server],
    ["check --calls c.yaml", server],
    ["count --json", undefined],
    ["budgets", undefined],
    ["budgets --format table", undefined],
    ["doctor --json", undefined],
    ["wrap --list", undefined],
    ["prune --older-than 9d", undefined],
    ["config", undefined],
    ["validate", undefined],
    ["tail", undefined],
    ["metrics", undefined],
    ["dash", undefined],
    ["mcp", undefined],
    ["record --output a.yaml", server],
    ["run", server],
    ["serve --url https://example.com/mcp", undefined],
    ["report", undefined],
    ["report --advice", undefined],
    ["report --trend", undefined],
    ["report --json", undefined],
  ];
  const env = {
    HOME: "/h",
    XDG_CONFIG_HOME: "/none",
    MCP_METER_AS_CLIENT: "cursor",
    MCP_METER_BUDGET: "100k/day",
    MCP_METER_COMPARE: "before.json",
    MCP_METER_LOCK: "a.lock",
    MCP_METER_MAX_CALL_INCREASE: "5%",
    MCP_METER_TOKENIZER: "o200k",
    MCP_METER_UPDATE: "1",
    MCP_METER_URL: "https://example.com/mcp",
  };
  const formats = [{ MCP_METER_FORMAT: "csv" }, { MCP_METER_JSON: "1" }];
  for (const format of formats) {
    for (const [line, child] of lines) {
      test(`does not contradict ${line} (${Object.keys(format).join()})`, async () => {
        const [name = "", ...words] = line.split(" ");
        const command = commands[name];
        if (!command) throw new Error(`no command ${name}`);
        const { flags, operands } = readWords(words, command.options, name);
        const { io } = fakeIo({ env: { ...env, ...format } });
        const args = await collectArguments(command, { flags, operands, child }, io);
        expect(() => command.check(args)).not.toThrow();
        expect(args.options).toMatchObject(flags);
      });
    }
  }

  test("is named once", async () => {
    const { io, stderr } = fakeIo({ env: { HOME: "/h", MCP_METER_AS_CLIENT: "cursor" } });
    const line = { flags: { configured: true }, operands: [], child: undefined };
    const { options } = await collectArguments(profileCommand, line, io);
    expect(options).toEqual({ configured: true });
    expect(stderr()).toBe(
      "mcp-meter: Ignoring MCP_METER_AS_CLIENT: it does not apply to this command line\n",
    );
  });

  test.each(["MCP_METER_budget", "MCP_METER_BUDGIT", "MCP_METER_BUDGET-"])(
    "%s is not known, and not read",
    async (name) => {
      const { io } = fakeIo({ env: { [name]: "abc" } });
      const line = { flags: {}, operands: [], child: ["cat"] };
      const { options, unknownVariables } = await collectArguments(runCommand, line, io);
      expect(options).toEqual({});
      expect(unknownVariables).toEqual([{ name, nearest: "MCP_METER_BUDGET" }]);
    },
  );

  test("with a mistake stays a mistake", async () => {
    const { io } = fakeIo({ env: { MCP_METER_FORMAT: "jsn" } });
    const line = { flags: {}, operands: [], child: undefined };
    const { options } = await collectArguments(budgetsCommand, line, io);
    expect(options).toEqual({ format: "jsn" });
  });
});
