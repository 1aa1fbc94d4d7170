import { expect, test } from "bun:test";
import { nameOf, partOf, propertyOf, type SchemaPlace } from "#lock/drift/place.ts";

const root: SchemaPlace = { side: "input", path: "" };

test.each([
  [root, "the input schema"],
  [{ ...root, side: "output" }, "the output schema"],
  [propertyOf(root, "filter"), "parameter filter"],
  [propertyOf(propertyOf({ side: "output", path: "" }, "rows"), "id"), "field rows.id"],
  [propertyOf(partOf(propertyOf(root, "ids"), "[]"), "value"), "parameter ids[].value"],
  [partOf(root, ".*"), "any other parameter"],
  [partOf(propertyOf(root, "f"), ".*"), "any other parameter of f"],
  [partOf(root, " (anyOf 2)"), "parameter (anyOf 2)"],
] as const)("nameOf %j is %s", (place, expected) => {
  expect(nameOf(place)).toBe(expected);
});
