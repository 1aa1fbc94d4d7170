import { expect, test } from "bun:test";
import {
  listBranches,
  countFields,
  SchemaWalk,
  inferType,
  schemaLevelsMax,
  subschemasMax,
} from "#wire/schema-walk.ts";

test.each([
  [{ type: "string" }, "string"],
  [{ type: ["null", "integer"] }, "integer"],
  [{ type: ["null"] }, "null"],
  [{ properties: {} }, "object"],
  [{ items: {} }, "array"],
  [{}, undefined],
] as const)("inferType %j is %s", (schema, type) => {
  expect(inferType(schema)).toBe(type);
});

test("listBranches gives the branches, and none where there is no list", () => {
  expect(listBranches({ anyOf: [1, 2] }, "anyOf")).toEqual([1, 2]);
  expect(listBranches({ anyOf: 3 }, "anyOf")).toEqual([]);
});

test.each([
  ["no schema", "text", 0],
  ["flat", { properties: { a: {}, b: {} } }, 2],
  ["nested", { properties: { a: { properties: { b: {} } } } }, 2],
  ["in a list", { properties: { a: { items: { properties: { b: {}, c: {} } } } } }, 3],
  ["in branches", { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, 2],
  [
    "behind a reference",
    { properties: { a: { $ref: "#/$defs/x" } }, $defs: { x: { properties: { b: {} } } } },
    2,
  ],
] as const)("countFields %s", (_, schema, fields) => {
  expect(countFields(schema)).toBe(fields);
});

test("countFields ends where a schema refers to itself, or to what is not there", () => {
  const circle = { properties: { next: { $ref: "#" }, gone: { $ref: "#/nowhere" } } };
  expect(countFields(circle)).toBeGreaterThan(1);
  expect(countFields({ $ref: "#" })).toBe(0);
  expect(countFields({ properties: { a: { $ref: "https://elsewhere" } } })).toBe(1);
});

test("SchemaWalk looks at so many levels and so many subschemas, and at no more", () => {
  const walk = new SchemaWalk({});
  expect(walk.enter({}, schemaLevelsMax)).toBeDefined();
  expect(walk.enter({}, schemaLevelsMax + 1)).toBeUndefined();
  for (let seen = 2; seen < subschemasMax; seen += 1) walk.enter({}, 0);
  expect(walk.enter({}, 0)).toBeUndefined();
});

test.each([
  ["a/b~c", "#/$defs/a~1b~0c"],
  ["Page<Item>", "#/$defs/Page%3CItem%3E"],
  ["Page<Item>", "#/$defs/Page<Item>"],
  ["100%", "#/$defs/100%"],
])("SchemaWalk finds %s by the reference %s", (name, $ref) => {
  const walk = new SchemaWalk({ $defs: { [name]: { type: "null" } } });
  expect(walk.enter({ $ref }, 0)).toEqual({ type: "null" });
});

test.each([
  ["#/anyOf/1", { type: "null" }],
  ["#/anyOf/2", undefined],
  ["#/anyOf/", undefined],
  ["#/anyOf/length", undefined],
])("SchemaWalk steps into lists: %s", ($ref, schema) => {
  const walk = new SchemaWalk({ anyOf: [{ type: "string" }, { type: "null" }] });
  expect(walk.enter({ $ref }, 0)).toEqual(schema);
});
