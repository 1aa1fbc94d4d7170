import { expect, test } from "bun:test";
import { findSizeLimit, schemaSizeMax } from "#lock/answer-worst-case.ts";

const flag = { type: "boolean" };
const object = (properties: object) => ({ type: "object", properties });

test.each([
  ["a boolean", flag, 5],
  ["an enum", { enum: ["on", "off"] }, 5],
  ["a bounded string", { type: "string", maxLength: 70 }, 70],
  [
    "an object with more in allOf",
    { ...object({ a: flag }), allOf: [object({ b: { type: "string" } })] },
    undefined,
  ],
  [
    "an object with any other members",
    { ...object({ a: flag }), additionalProperties: true },
    undefined,
  ],
  ["an object of these", object({ a: flag, b: { type: "integer" } }), 25],
  ["a string of the longest size", { maxLength: schemaSizeMax }, schemaSizeMax],
  ["a string beyond it", { maxLength: schemaSizeMax + 1 }, undefined],
  [
    "a time",
    { type: "string", format: "date-time" },
    '"2026-11-27T22:11:19.123456789+00:00"'.length,
  ],
  [
    "an address",
    { type: "string", format: "ipv6" },
    '"0000:0000:0000:0000:0000:ffff:255.255.255.255"'.length,
  ],
  ["a format without a longest form", { type: "string", format: "uri" }, undefined],
  ["an unknown format", { format: "constructor" }, undefined],
  ["a free string", { type: "string" }, undefined],
  ["an object with a free string", object({ a: flag, b: { type: "string" } }), undefined],
  ["an open object", object({}), undefined],
  ["a list", { type: "array", maxItems: 3, items: flag }, undefined],
  ["a number or a free string", { type: ["integer", "string"] }, undefined],
  ["a number or a bounded string", { type: ["integer", "string"], maxLength: 9 }, 20],
  ["a bounded string or null", { type: ["null", "string"], maxLength: 9 }, 9],
  ["a list with the limit of a string", { type: "array", maxLength: 9, format: "date" }, undefined],
  ["no schema", 7, undefined],
])("findSizeLimit of %s", (_, schema, size) => {
  expect(findSizeLimit(schema)).toBe(size);
});

test("findSizeLimit resolves references in the whole schema", () => {
  const root = { $defs: { flag }, items: { $ref: "#/$defs/flag" } };
  expect(findSizeLimit(root.items, root)).toBe(5);
});
