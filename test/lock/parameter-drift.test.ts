import { expect, test } from "bun:test";
import type { Parameter } from "#lock/parameters.ts";
import { parameterDrifts } from "#lock/parameter-drift.ts";

/** `a!` is a required parameter a, `a:integer` one of that type. */
function parse(text: string): Parameter[] {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [rawName = "", type = "string"] = word.split(":");
      const required = rawName.endsWith("!");
      return { name: rawName.replace("!", ""), required, type: type === "any" ? null : type };
    });
}

test.each([
  ["a b!", "a b!", ""],
  ["a", "b", "BREAKING parameter_removed, SAFE optional_parameter_added"],
  ["a!", "b!", "BREAKING parameter_removed, BREAKING required_parameter_added"],
  ["", "a!", "BREAKING required_parameter_added"],
  ["", "a", "SAFE optional_parameter_added"],
  ["a", "a!", "BREAKING parameter_became_required"],
  ["a!", "a", "SAFE parameter_became_optional"],
  ["a:string", "a:integer", "BREAKING parameter_type_changed"],
  ["a:integer", "a:number", ""],
  ["a:integer", "a:any", ""],
  ["a:any", "a:integer", "BREAKING parameter_type_changed"],
  ["", "f f.x!", "SAFE optional_parameter_added, SAFE optional_parameter_added"],
  ["f", "f f.x!", "BREAKING required_parameter_added"],
  ["ids", "ids ids[].x!", "BREAKING required_parameter_added"],
])("parameterDrifts from %j to %j", (before, after, expected) => {
  const drifts = parameterDrifts("t", parse(before), parse(after));
  expect(drifts.map(({ severity, kind }) => `${severity} ${kind}`).join(", ")).toBe(expected);
  expect(drifts.every(({ tool }) => tool === "t")).toBe(true);
});
