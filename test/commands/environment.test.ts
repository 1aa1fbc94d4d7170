import { expect, test } from "bun:test";
import {
  environmentOptions,
  unknownVariables,
  variableName,
  variableOptions,
} from "#commands/environment.ts";
import { commands } from "#commands/index.ts";
import { thrownBy } from "../support/folder.ts";

const specs = { "log-fsync": { describe: "d" }, budget: { value: "SPEC", describe: "d" } };

test("variableName is the option in capitals with our prefix", () => {
  expect(variableName("log-fsync")).toBe("MCP_METER_LOG_FSYNC");
});

test("environmentOptions reads the variables of options; an empty one sets nothing", () => {
  const env = { MCP_METER_LOG_FSYNC: "1", MCP_METER_BUDGET: "", MCP_METER_OTHER: "x", BUDGET: "y" };
  expect(environmentOptions(specs, env)).toEqual({ "log-fsync": "1" });
});

const aliased = { tokenizer: { value: "ID", describe: "d", variableAlias: "count-with" } };

test("an option may have a second variable, with the same value or alone", () => {
  const [name, alias] = ["MCP_METER_TOKENIZER", "MCP_METER_COUNT_WITH"];
  for (const env of [
    { [alias]: "o200k" },
    { [name]: "", [alias]: "o200k" },
    { [name]: "o200k" },
    { [name]: "o200k", [alias]: "o200k" },
  ]) {
    expect(environmentOptions(aliased, env)).toEqual({ tokenizer: "o200k" });
    expect(unknownVariables(variableOptions(aliased), env)).toEqual([]);
  }
  expect(thrownBy(() => environmentOptions(aliased, { [name]: "o200k", [alias]: "claude" }))).toBe(
    "Cannot use both MCP_METER_TOKENIZER and MCP_METER_COUNT_WITH: they set the same option to different values; unset one",
  );
  expect(unknownVariables(variableOptions(aliased), { MCP_METER_COUNT_WIHT: "x" })).toEqual([
    { name: "MCP_METER_COUNT_WIHT", nearest: alias },
  ]);
});

test("every option can be set where variables with TOKEN in their name are removed", () => {
  for (const { options } of Object.values(commands)) {
    for (const [name, { variableAlias = name, isFlagOnly }] of Object.entries(options)) {
      if (isFlagOnly === true) continue;
      expect(variableName(variableAlias)).not.toContain("TOKEN");
      if (variableAlias !== name) expect(Object.keys(options)).not.toContain(variableAlias);
    }
  }
});

test("no variable sets an option that decides about the command's work", () => {
  const reset = { reset: { value: "TOOL", describe: "d", isFlagOnly: true } };
  expect(environmentOptions(reset, { MCP_METER_RESET: "*" })).toEqual({});
});

test("unknownVariables names variables with our prefix that set no option, with the nearest", () => {
  const env = { MCP_METER_BUDEGT: "5", MCP_METER_BUDGET: "5", MCP_METER_FRUIT: "", PATH: "/bin" };
  expect(unknownVariables(Object.keys(specs), env)).toEqual([
    { name: "MCP_METER_BUDEGT", nearest: "MCP_METER_BUDGET" },
    { name: "MCP_METER_FRUIT", nearest: undefined },
  ]);
});
