import { expect, test } from "bun:test";
import { cursor } from "#tokens/cost/client-profiles/cursor.ts";
import { plainReads, testReads } from "../../../support/client-reads.ts";

testReads("cursor-vscode", {}, plainReads);

test("a tool that is not loaded is a name", () => {
  const { deferral, listing, form, instructions } = cursor.definitions;
  const tool = { name: "weather", description: "d" };
  expect([deferral, listing(tool), instructions("Be kind", true)]).toEqual([
    "always",
    "weather\n",
    "Be kind",
  ]);
  expect(form(tool, true)).toBe(tool);
});
