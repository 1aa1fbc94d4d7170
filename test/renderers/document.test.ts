import { expect, test } from "bun:test";
import { spansIn, textIn } from "#renderers/document.ts";

test("spansIn is a list, also of a single span", () => {
  expect(spansIn("prose")).toEqual(["prose"]);
  expect(spansIn({ name: "search" })).toEqual([{ name: "search" }]);
  expect(spansIn(["prose ", { name: "search" }])).toEqual(["prose ", { name: "search" }]);
});

test("textIn is a cell without its tone", () => {
  expect(textIn({ text: "high", tone: "bad" })).toBe("high");
  for (const text of ["prose", { name: "search" }, ["prose ", { name: "search" }]]) {
    expect(textIn(text)).toBe(text);
  }
});

test("an empty name is written out", () => {
  expect(spansIn([{ name: "" }, " and ", { name: "a" }])).toEqual([
    "(no name)",
    " and ",
    { name: "a" },
  ]);
});
