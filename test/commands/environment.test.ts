import { expect, test } from "bun:test";
import { environmentOptions, unknownVariables, variableName } from "#commands/environment.ts";

const specs = { "log-fsync": { describe: "d" }, budget: { value: "SPEC", describe: "d" } };

test("variableName is the option in capitals with our prefix", () => {
  expect(variableName("log-fsync")).toBe("MCP_METER_LOG_FSYNC");
});

test("environmentOptions reads the variables of options; an empty one sets nothing", () => {
  const env = { MCP_METER_LOG_FSYNC: "1", MCP_METER_BUDGET: "", MCP_METER_OTHER: "x", BUDGET: "y" };
  expect(environmentOptions(specs, env)).toEqual({ "log-fsync": "1" });
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
