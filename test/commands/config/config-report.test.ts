import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { configReport } from "#commands/config/config-report.ts";
import { runCommand } from "#commands/run/index.ts";
import { Folder } from "../../support/folder.ts";

const plain = { server: undefined, config: undefined, command: undefined };

function reported(folder: Folder, text: string, env: { readonly [name: string]: string } = {}) {
  mkdirSync(folder.at("mcp-meter"));
  folder.file("mcp-meter/config.json", text);
  return configReport(runCommand, plain, { XDG_CONFIG_HOME: folder.path, ...env });
}

test("an option that a mistake leaves out has its default", () => {
  using folder = new Folder();
  const { options, mistakes } = reported(folder, '{"window": "x", "slow": 3}');
  const byName = new Map(options.map(({ option, ...rest }) => [option, rest]));
  expect(byName.get("window")).toMatchObject({
    value: "the model's",
    source: "default",
    file: null,
  });
  expect(byName.get("slow")).toMatchObject({ value: "3", source: "file" });
  expect(mistakes).toHaveLength(1);
});

test("budgets of a variable replace those of the file", () => {
  using folder = new Folder();
  const env = { MCP_METER_BUDGET: "a=1 b=2" };
  const { options } = reported(folder, '{"budgets": [{"limit": 5}]}', env);
  expect(options.find(({ option }) => option === "budget")).toMatchObject({
    value: "a=1 b=2",
    source: "variable",
    variable: "MCP_METER_BUDGET",
    file: null,
  });
});

test("a wrong variable is thrown", () => {
  expect(() => configReport(runCommand, plain, { MCP_METER_WINDOW: "x" })).toThrow(
    "--window must be",
  );
});
