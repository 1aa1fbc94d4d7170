import { expect, test } from "bun:test";
import { inputSchemaChanges, newSchemaRejection } from "#lock/drift/input-schema-changes.ts";

test.each([
  [undefined, "inputSchema missing: clients reject the tool list"],
  [null, "inputSchema is not an object: clients reject the tool list"],
  [{ type: "array" }, 'inputSchema is not of type "object": clients reject the tool list'],
  [{ type: "object" }, undefined],
])("newSchemaRejection of %j is %p", (schema, expected) => {
  expect(newSchemaRejection(schema)?.what).toBe(expected);
});

test("inputSchemaChanges names a rejection by its own kind", () => {
  const changes = inputSchemaChanges({ before: { type: "object" }, after: undefined });
  expect(changes).toEqual([
    {
      kind: "input_schema_rejected",
      what: "inputSchema removed: clients reject the tool list",
      before: '{"type":"object"}',
      after: null,
    },
  ]);
});
