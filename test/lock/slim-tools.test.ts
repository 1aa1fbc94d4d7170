import { expect, test } from "bun:test";
import type { JsonObject } from "#wire/json.ts";
import { dropDialect, dropNameTitles, dropUnusedDefinitions } from "#lock/trim-tools.ts";
import { collectParameterTexts } from "#lock/find-savings.ts";

const tool = (inputSchema: unknown) => ({ name: "t", inputSchema });

test("dropDialect removes $schema at the top, and nothing else", () => {
  const schema = { type: "object", properties: { $schema: { type: "string" } } };
  expect(dropDialect({ $schema: "draft-07", ...schema })).toEqual(schema);
});

test.each([
  [{ file_path: { title: "File Path", type: "string" } }, { file_path: { type: "string" } }],
  [{ q: { title: "The query" } }, { q: { title: "The query" } }],
  [{ title: { title: "Title" } }, { title: {} }],
  [
    { a: { items: { properties: { b: { title: "B" } } } } },
    { a: { items: { properties: { b: {} } } } },
  ],
  [{ a: { anyOf: [{ title: "A" }], title: "A" } }, { a: { anyOf: [{ title: "A" }] } }],
  [{ a: { default: { properties: { b: { title: "B" } } } } }, undefined],
  [{ a: true, b: null, c: { title: 5 } }, undefined],
] as const)("dropNameTitles of %j", (properties, without) => {
  const edited = dropNameTitles({ type: "object", properties });
  expect(edited).toEqual({ type: "object", properties: without ?? properties });
});

test("dropNameTitles reaches definitions, and ends with a schema that is nested deeply", () => {
  const $defs = { Row: { title: "Row", properties: { id: { title: "Id" } } } };
  expect(dropNameTitles({ $defs })).toEqual({
    $defs: { Row: { title: "Row", properties: { id: {} } } },
  });
  let deep: JsonObject = {};
  for (let level = 0; level < 5_000; level += 1) deep = { items: deep };
  expect(dropNameTitles(deep)).toBeObject();
});

test("collectParameterTexts returns each text once", () => {
  const text = { description: "The owner" };
  const properties = { a: text, b: text, c: { description: 5 }, d: null };
  expect([...collectParameterTexts(tool({ properties }))]).toEqual(["The owner"]);
  expect([...collectParameterTexts(tool(undefined))]).toEqual([]);
});

test("dropUnusedDefinitions keeps definitions that are referred to, directly or by each other", () => {
  const $defs = {
    used: { properties: { next: { $ref: "#/$defs/inner" } } },
    inner: { items: { $ref: "#/$defs/used" } },
    unused: { $ref: "#/$defs/lost" },
    lost: { type: "string" },
  };
  const properties = { a: { anyOf: [{ $ref: "#/$defs/used/properties/next" }] } };
  const { used, inner } = $defs;
  expect(dropUnusedDefinitions({ properties, $defs })).toEqual({
    properties,
    $defs: { used, inner },
  });
  expect(dropUnusedDefinitions({ definitions: $defs })).toEqual({});
  const anchored = { $defs, properties: { a: { $ref: "#here" } } };
  expect(dropUnusedDefinitions(anchored)).toEqual(anchored);
  const dynamic = { $defs, properties: { a: { $dynamicRef: "#node" } } };
  expect(dropUnusedDefinitions(dynamic)).toEqual(dynamic);
  const escaped = { $defs: { "a/b c": {} }, items: { $ref: "#/$defs/a~1b%20c" } };
  expect(dropUnusedDefinitions(escaped)).toEqual(escaped);
  const broken = { $defs: { a: {} }, items: { $ref: "#/$defs/%" } };
  expect(dropUnusedDefinitions(broken)).toEqual(broken);
  expect(dropUnusedDefinitions({ $defs: 5 })).toEqual({ $defs: 5 });
});

test("dropNameTitles drops the title that Python's SDK makes of the tool's name", () => {
  const named = { title: "get_weatherArguments", properties: {} };
  expect(dropNameTitles(named, "get_weather")).toEqual({ properties: {} });
  expect(dropNameTitles({ title: "Weather" }, "get_weather")).toEqual({ title: "Weather" });
});
