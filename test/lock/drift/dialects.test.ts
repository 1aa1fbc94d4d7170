import { expect, test } from "bun:test";
import { isDialect } from "#lock/drift/dialects.ts";

test.each([
  ["http://json-schema.org/draft-07/schema#", true],
  ["https://json-schema.org/draft/2020-12/schema", true],
  ["https://json-schema.org/draft/obey-me/schema", false],
  ["https://obey.example/draft-07/schema", false],
  [undefined, false],
  [7, false],
])("isDialect(%j) is %p", (value, expected) => {
  expect(isDialect(value)).toBe(expected);
});
