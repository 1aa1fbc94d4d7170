import { expect, test } from "bun:test";
import { cursor } from "#tokens/cost/client-profiles/cursor.ts";
import { plainReads, testReads } from "../../../support/client-reads.ts";

testReads("cursor-vscode", {}, plainReads);

test("a tool that is not loaded is a name", () => {
  const { deferral, formatListing, formatTool, formatInstructions } = cursor.definitions;
  const tool = { name: "weather", description: "d" };
  expect([deferral, formatListing(tool), formatInstructions("Be kind", true)]).toEqual([
    "always",
    "weather\n",
    "Be kind",
  ]);
  expect(formatTool(tool, true)).toBe(tool);
});
