import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { collectArguments } from "#commands/collect-options.ts";
import type { RawOptions } from "#commands/command.ts";
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
  expect(config).toEqual({ implicit: new Set(["window", "log", "as-client"]), faults: [] });
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
  expect(config).toEqual({ implicit: new Set(["model"]), faults: ["window", "tokenizer", "risk"] });
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
