import { expect, test } from "bun:test";
import { applyEdits } from "#wrapping/edit.ts";

test("edits are applied in any order", () => {
  const edits = [
    { start: 4, end: 5, text: "" },
    { start: 0, end: 1, text: "xy" },
    { start: 2, end: 2, text: "-" },
  ];
  expect(applyEdits("abcde", edits)).toBe("xyb-cd");
  expect(applyEdits("abc", [])).toBe("abc");
});

test("edits that overlap are not applied", () => {
  const edits = [
    { start: 0, end: 2, text: "" },
    { start: 1, end: 3, text: "" },
  ];
  expect(applyEdits("abc", edits)).toBeUndefined();
});
