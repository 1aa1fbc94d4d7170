import { expect, test } from "bun:test";
import type { JsonObject } from "#wire/json.ts";
import {
  dropDialect,
  dropNameTitles,
  dropUnusedDefinitions,
  shortenDescriptions,
  shortenText,
} from "#lock/schema-edits.ts";
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
  const escaped = { $defs: { "a/b c": {} }, items: { $ref: "#/$defs/a~1b%20c" } };
  expect(dropUnusedDefinitions(escaped)).toEqual(escaped);
  const broken = { $defs: { a: {} }, items: { $ref: "#/$defs/%" } };
  expect(dropUnusedDefinitions(broken)).toEqual(broken);
  expect(dropUnusedDefinitions({ $defs: 5 })).toEqual({ $defs: 5 });
});

test.each([
  ["Short.", 20, "Short."],
  ["One sentence here. Another one.", 20, "One sentence here."],
  ["Is it v1.2? Then it goes on and on", 20, "Is it v1.2?"],
  ["E.g. this goes on without an end", 20, "E.g. this goes on…"],
  ["nospacesnospacesnospaces", 20, "nospacesnospacesnos…"],
  ["First line\nsecond line goes on", 20, "First line"],
  ["これは長い文です。次の文はもっと長いです。", 12, "これは長い文です。"],
  [`${"x".repeat(18)}😀😀`, 20, `${"x".repeat(18)}…`],
])("shortenText(%p, %d)", (text, max, short) => {
  expect(shortenText(text, max)).toBe(short);
  expect(short.length).toBeLessThanOrEqual(max);
});

test("shortenDescriptions reaches parameters at any depth, and no parameter of that name", () => {
  const long = "A first sentence. A second sentence.";
  const schema = {
    description: long,
    properties: {
      description: { description: long, enum: [long] },
      list: { items: { description: long } },
    },
    default: { description: long },
  };
  expect(shortenDescriptions(schema, 20)).toEqual({
    description: "A first sentence.",
    properties: {
      description: { description: "A first sentence.", enum: [long] },
      list: { items: { description: "A first sentence." } },
    },
    default: { description: long },
  });
});

test("dropNameTitles drops the title that Python's SDK makes of the tool's name", () => {
  const named = { title: "get_weatherArguments", properties: {} };
  expect(dropNameTitles(named, "get_weather")).toEqual({ properties: {} });
  expect(dropNameTitles({ title: "Weather" }, "get_weather")).toEqual({ title: "Weather" });
});
