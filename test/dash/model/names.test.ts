import { expect, test } from "bun:test";
import { Names } from "#dash/model/names.ts";
import { dashNamesMax } from "#limits/dash.ts";

test("each name has one number, and a name that was never added has none", () => {
  const names = new Names();
  expect([names.add("a"), names.add("b"), names.add("a")]).toEqual([0, 1, 0]);
  expect([names.at(1), names.at(2)]).toEqual(["b", ""]);
  expect([names.find("b"), names.find("c")]).toEqual([1, undefined]);
});

test("there is room for as many as the limit, and those that are known stay", () => {
  const names = new Names();
  for (let at = 0; at < dashNamesMax; at += 1) names.add(`name ${at}`);
  expect(names.at(dashNamesMax - 1)).toBe(`name ${dashNamesMax - 1}`);
  expect([names.add("one more"), names.add("name 7")]).toEqual([undefined, 7]);
});
