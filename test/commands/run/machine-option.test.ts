import { expect, test } from "bun:test";
import { parseMachine } from "#commands/run/machine-option.ts";

test("an id of the user is cut to the length of a name", () => {
  expect([parseMachine({}), parseMachine({ machine: "off" })]).toEqual([undefined, "off"]);
  expect(parseMachine({ machine: "x".repeat(999) })).toHaveLength(256);
});
