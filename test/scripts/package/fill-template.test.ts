import { expect, test } from "bun:test";
import { fillTemplate } from "../../../scripts/package/fill-template.ts";

test("fillTemplate replaces every place, and no more", () => {
  expect(fillTemplate("{{a}} {b} {{a}}-{{c-d}} #{bin}", { a: "1", "c-d": "$&" })).toBe(
    "1 {b} 1-$& #{bin}",
  );
});

test("fillTemplate fails where a value or a place is missing", () => {
  expect(() => fillTemplate("{{a}}", {})).toThrow("The template has {{a}}, which has no value");
  expect(() => fillTemplate("text", { a: "1" })).toThrow("The template has no place for a");
});
