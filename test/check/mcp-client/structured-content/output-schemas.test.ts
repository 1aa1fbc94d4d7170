import { expect, test } from "bun:test";
import { Client as NewerClient } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { findOutputSchemaFault } from "#check/output-schema-problems.ts";
import { OutputSchemas } from "#check/mcp-client/structured-content/output-schemas.ts";
import type { JsonObject } from "#wire/json.ts";
import { answeringServer } from "../../../support/answering-server.ts";

type Reality = { readonly lists: boolean[]; readonly calls: boolean[] };

async function reality(outputSchema: unknown, result: unknown): Promise<Reality> {
  const info = { name: "c", version: "1" };
  const older = new OlderClient(info);
  const newer = new NewerClient(info, { versionNegotiation: { mode: "legacy" } });
  const [lists, calls]: [boolean[], boolean[]] = [[], []];
  for (const client of [older, newer]) {
    await client.connect(answeringServer(result, { outputSchema }) as never);
    lists.push(await succeeds(client.listTools()));
    calls.push(await succeeds(client.callTool({ name: "t", arguments: {} })));
    await client.close();
  }
  return { lists, calls };
}

function succeeds(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

const withStructure = (structuredContent: unknown) => ({ content: [], structuredContent });

const rank = {
  type: "object",
  properties: { results: { type: "array", items: { $ref: "#/$defs/result" } } },
  required: ["results"],
  $defs: {
    result: {
      type: "object",
      properties: { rank: { type: "integer", minimum: 1 }, at: { type: "string", format: "date" } },
      required: ["rank"],
      additionalProperties: false,
    },
  },
};

const makeObjectSchema = (properties: object) => ({ type: "object", properties });

test.each([
  ["a match", rank, { results: [{ rank: 1, at: "2026-01-01" }] }, undefined],
  [
    "a missing member",
    rank,
    {},
    { pointer: "", reason: 'must have the property "results"', isSdk1Only: false },
  ],
  [
    "another type, by a reference",
    rank,
    { results: [{ rank: 1 }, { rank: "2" }] },
    { pointer: "/results/1/rank", reason: "must be integer", isSdk1Only: false },
  ],
  [
    "a range",
    rank,
    { results: [{ rank: 0 }] },
    { pointer: "/results/0/rank", reason: "must be >= 1", isSdk1Only: false },
  ],
  [
    "an extra member",
    rank,
    { results: [{ rank: 1, 'a"b': 1 }] },
    {
      pointer: "/results/0",
      reason: 'must not have the property "a\\"b"',
      isSdk1Only: false,
    },
  ],
  [
    "a format",
    rank,
    { results: [{ rank: 1, at: "today" }] },
    { pointer: "/results/0/at", reason: 'must match format "date"', isSdk1Only: false },
  ],
  [
    "a branch",
    makeObjectSchema({ a: { anyOf: [{ type: "string" }, { type: "number" }] } }),
    { a: null },
    { pointer: "/a", reason: "must match a schema in anyOf", isSdk1Only: false },
  ],
  [
    "a pattern with lookahead, as JavaScript reads it",
    makeObjectSchema({ a: { type: "string", pattern: "^(?!x)" } }),
    { a: "x" },
    { pointer: "/a", reason: 'must match pattern "^(?!x)"', isSdk1Only: false },
  ],
  [
    "a name with a slash and a tilde",
    makeObjectSchema({ "a/b~c": { type: "string" } }),
    { "a/b~c": 1 },
    { pointer: "/a~1b~0c", reason: "must be string", isSdk1Only: false },
  ],
  [
    "a keyword of 2020-12, which clients of 1.x do not know",
    { type: "object", properties: { a: { prefixItems: [{ type: "string" }] } } },
    { a: [1] },
    { pointer: "/a/0", reason: "must be string", isSdk1Only: false },
  ],
  [
    "a keyword of draft-07 that 2020-12 still reads",
    { type: "object", dependencies: { a: ["b"] } },
    { a: 1 },
    {
      pointer: "",
      reason: "must have property b when property a is present",
      isSdk1Only: false,
    },
  ],
  [
    "tuples of draft-07 in 2020-12: clients of 2.x cannot compile them",
    { type: "object", properties: { a: { items: [{ type: "string" }] } } },
    { a: [1] },
    { pointer: "/a/0", reason: "must be string", isSdk1Only: true },
  ],
  [
    "a reference to itself without an end",
    { type: "object", allOf: [{ $ref: "#" }] },
    {},
    {
      pointer: null,
      reason: "Maximum call stack size exceeded.",
      isSdk1Only: false,
    },
  ],
] as const)("OutputSchemas validates as clients do: %s", async (_, schema, structure, fault) => {
  const schemas = new OutputSchemas(false);
  const rejected = schemas.add("t", schema);
  const found = await schemas.validate("t", structure, false);
  expect(found).toEqual(fault);
  const { calls } = await reality(schema, withStructure(structure));
  const isRejectedBySdk2 = rejected?.rejectedBy === "sdk2" || rejected?.rejectedBy === "both";
  expect(calls.every(Boolean)).toBe(found === undefined && !isRejectedBySdk2);
});

test.each([
  ["an unresolved reference", { type: "object", $ref: "#/$defs/none" }, "both"],
  ["a remote reference", { type: "object", $ref: "https://example.com/s.json" }, "both"],
  ["a pattern that is not one", makeObjectSchema({ a: { pattern: "(" } }), "both"],
  ["an unknown dialect", { type: "object", $schema: "https://example.com/schema" }, "sdk2"],
  ["tuples of draft-07 in 2020-12", makeObjectSchema({ a: { items: [{}] } }), "sdk2"],
  ["a type that is none", makeObjectSchema({ a: { type: "text" } }), "both"],
] as const)("OutputSchemas cannot compile %s, as clients cannot", async (_, schema, by) => {
  const schemas = new OutputSchemas(false);
  expect(schemas.add("t", schema)?.rejectedBy).toBe(by);
  const { lists, calls } = await reality(schema, withStructure({}));
  const isFineForSdk1 = by === "sdk2";
  expect(lists).toEqual([isFineForSdk1, true]);
  expect(calls[1]).toBe(false);
});

test("OutputSchemas takes the first of two schemas with one $id, as clients do", async () => {
  const schemas = new OutputSchemas(false);
  const $id = "https://example.com/s";
  expect(schemas.add("a", { $id, type: "object", required: ["a"] })).toBeUndefined();
  expect(schemas.add("b", { $id, type: "object" })).toBeUndefined();
  expect(await schemas.validate("b", {}, false)).toMatchObject({
    reason: 'must have the property "a"',
  });
});

test("clients of 1.x validate the content of an error too", async () => {
  const schema = { type: "object", required: ["a"] };
  const schemas = new OutputSchemas(false);
  schemas.add("t", schema);
  expect(await schemas.validate("t", {}, true)).toEqual({
    pointer: "",
    reason: 'must have the property "a"',
    isSdk1Only: true,
  });
  const { calls } = await reality(schema, { ...withStructure({}), isError: true });
  expect(calls).toEqual([false, true]);
});

test("OutputSchemas waits for a schema with $async, whose rejection ends a client", async () => {
  const schemas = new OutputSchemas(false);
  schemas.add("t", { type: "object", $async: true, required: ["a"] });
  expect(await schemas.validate("t", { a: 1 }, false)).toBeUndefined();
  expect(await schemas.validate("t", {}, false)).toMatchObject({
    reason: "validation failed",
  });
});

test("OutputSchemas ignores a format that it does not know, as clients do, without a word", async () => {
  const schemas = new OutputSchemas(false);
  const schema = makeObjectSchema({ a: { type: "string", format: "x-y" } });
  expect(schemas.add("t", schema)).toBeUndefined();
  expect(await schemas.validate("t", { a: "z" }, false)).toBeUndefined();
});

test("in the era of 2026 only clients of 2.x validate, with any type at the root", async () => {
  const schemas = new OutputSchemas(true);
  expect(schemas.add("t", { type: "array", items: { type: "string" } })).toBeUndefined();
  expect(await schemas.validate("t", ["a"], false)).toBeUndefined();
  expect(await schemas.validate("t", [1], false)).toMatchObject({ pointer: "/0" });
  expect(await schemas.validate("t", [1], true)).toBeUndefined();
  expect(await schemas.validate("other", 1, false)).toBeUndefined();
});

test.each<readonly [unknown, string | undefined]>([
  [{ type: "object" }, undefined],
  [{ type: "object", properties: { a: {} }, required: ["a"] }, undefined],
  [{ type: "object", properties: { a: [] } }, undefined],
  [null, "it is not an object"],
  [true, "it is not an object"],
  [{}, 'it is not of type "object"'],
  [{ type: ["object"] }, 'it is not of type "object"'],
  [{ type: "object", properties: [] }, "properties is not an object"],
  [{ type: "object", properties: { a: true } }, 'the property "a" is not an object'],
  [{ type: "object", required: "a" }, "required is not a list of strings"],
])("findOutputSchemaFault rejects a list as clients do: %j", async (schema, fault) => {
  expect(findOutputSchemaFault(schema, false)).toBe(fault);
  const { lists } = await reality(schema, withStructure({}));
  expect(lists[0]).toBe(fault === undefined);
});

test("findOutputSchemaFault in the era of 2026", () => {
  const cases: readonly (readonly [JsonObject | boolean, string | undefined])[] = [
    [{ type: "array" }, undefined],
    [{ $schema: 7 }, "$schema is not a string"],
    [false, "it is not an object"],
  ];
  for (const [schema, fault] of cases) expect(findOutputSchemaFault(schema, true)).toBe(fault);
});
