import { expect, test } from "bun:test";
import { checkEnvironment } from "#commands/doctor/check-machine.ts";
import { makeInstallation } from "./patient.ts";

test("unknown variables have the nearest name", async () => {
  const unknownVariables = [
    { name: "MCP_METER_BUDEGT", nearest: "MCP_METER_BUDGET" },
    { name: "MCP_METER_XYZZYX", nearest: undefined },
  ];
  expect(await checkEnvironment(makeInstallation({}, { unknownVariables }))).toMatchObject([
    {
      status: "warning",
      detail: "MCP_METER_BUDEGT is not a variable of mcp-meter; did you mean MCP_METER_BUDGET?",
      fix: "unset MCP_METER_BUDEGT",
    },
    { status: "warning", detail: "MCP_METER_XYZZYX is not a variable of mcp-meter" },
  ]);
});

test("the variable that disables mcp-meter is named", async () => {
  expect(await checkEnvironment(makeInstallation({ MCP_METER_DISABLE: "1" }))).toMatchObject([
    { status: "warning", fix: "unset MCP_METER_DISABLE" },
  ]);
  expect(await checkEnvironment(makeInstallation({ MCP_METER_DISABLE: "0" }))).toMatchObject([
    { status: "ok" },
  ]);
});
