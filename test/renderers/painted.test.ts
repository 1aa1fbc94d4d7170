import { expect, test } from "bun:test";
import { painted } from "#renderers/painted.ts";

test("painted gives a text the colour of its meaning", () => {
  expect(painted("x", "bad")).toBe("\u001b[31mx\u001b[0m");
  expect(painted("x", undefined)).toBe("x");
  expect(painted("", "bad")).toBe("");
});
