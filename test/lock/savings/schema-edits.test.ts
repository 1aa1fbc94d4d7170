import { expect, test } from "bun:test";
import {
  collectParameterTexts,
  dropDialect,
  dropNameTitles,
  dropUnusedDefinitions,
} from "#lock/savings/find-savings.ts";

const tool = (inputSchema: unknown) => ({ name: "t", inputSchema });

test("withoutDialect leaves out $schema at the top, and nothing else", () => {
  const schema = { type: "object", properties: { $schema: { type: "string" } } };
  expect(dropDialect(tool({ $schema: "draft-07", ...schema }))).toEqual(tool(schema));
  expect(dropDialect(tool(null))).toEqual(tool(null));
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
] as const)("withoutNameTitles of %j", (properties, without) => {
  const edited = dropNameTitles(tool({ type: "object", properties }));
  expect(edited).toEqual(tool({ type: "object", properties: without ?? properties }));
});

test("withoutNameTitles reaches definitions, and ends with a schema that is nested deeply", () => {
  const $defs = { Row: { title: "Row", properties: { id: { title: "Id" } } } };
  expect(dropNameTitles(tool({ $defs }))).toEqual(
    tool({ $defs: { Row: { title: "Row", properties: { id: {} } } } }),
  );
  let deep: object = {};
  for (let level = 0; level < 5_000; level += 1) deep = { items: deep };
  expect(dropNameTitles(tool(deep))).toBeObject();
});

test("parameterTexts has each text once", () => {
  const text = { description: "The owner" };
  const properties = { a: text, b: text, c: { description: 5 }, d: null };
  expect([...collectParameterTexts(tool({ properties }))]).toEqual(["The owner"]);
  expect([...collectParameterTexts(tool(undefined))]).toEqual([]);
});

test("withoutUnusedDefinitions keeps those that are referred to, directly or by each other", () => {
  const $defs = {
    used: { properties: { next: { $ref: "#/$defs/inner" } } },
    inner: { items: { $ref: "#/$defs/used" } },
    unused: { $ref: "#/$defs/lost" },
    lost: { type: "string" },
  };
  const properties = { a: { anyOf: [{ $ref: "#/$defs/used/properties/next" }] } };
  const { used, inner } = $defs;
  expect(dropUnusedDefinitions(tool({ properties, $defs }))).toEqual(
    tool({ properties, $defs: { used, inner } }),
  );
  expect(dropUnusedDefinitions(tool({ definitions: $defs }))).toEqual(tool({}));
  const anchored = { $defs, properties: { a: { $ref: "#here" } } };
  expect(dropUnusedDefinitions(tool(anchored))).toEqual(tool(anchored));
  const escaped = { $defs: { "a/b c": {} }, items: { $ref: "#/$defs/a~1b%20c" } };
  expect(dropUnusedDefinitions(tool(escaped))).toEqual(tool(escaped));
  const broken = { $defs: { a: {} }, items: { $ref: "#/$defs/%" } };
  expect(dropUnusedDefinitions(tool(broken))).toEqual(tool(broken));
  expect(dropUnusedDefinitions(tool({ $defs: 5 }))).toEqual(tool({ $defs: 5 }));
});
