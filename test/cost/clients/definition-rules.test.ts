import { expect, test } from "bun:test";
import { plainDefinitions } from "#cost/clients/definition-rules.ts";

test("plain rules change nothing and defer nothing", () => {
  const tool = { name: "weather" };
  const { deferral, form, listing, instructions, loadedInstructions } = plainDefinitions;
  expect([deferral, listing(tool), loadedInstructions("Be kind")]).toEqual(["never", "", ""]);
  expect(form(tool, true)).toBe(tool);
  expect(instructions("Be kind", false)).toBe("Be kind");
});
