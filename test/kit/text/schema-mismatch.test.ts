import { expect, test } from "bun:test";
import {
  describeSchema,
  describeValue,
  quote,
  type ValueSchema,
} from "#kit/text/schema-mismatch.ts";

const safe = Number.MAX_SAFE_INTEGER;

const schemas: readonly (readonly [schema: ValueSchema, phrase: string])[] = [
  [{ type: "string" }, "text"],
  [{ type: "string", minLength: 1 }, "non-empty text"],
  [{ type: "string", pattern: "^[ab]$", title: "an a or a b" }, "an a or a b"],
  [{ type: "string", pattern: "^[ab]$" }, "text in a different format"],
  [{ type: "boolean" }, "true or false"],
  [{ type: "object" }, "an object"],
  [{ type: "array" }, "a list"],
  [{ type: "array", minItems: 1 }, "a list of at least 1 item"],
  [{ type: "array", minItems: 2, maxItems: 5 }, "a list of 2 to 5 items"],
  [{ type: "array", minItems: 2 }, "a list of at least 2 items"],
  [{ type: "array", maxItems: 5 }, "a list of at most 5 items"],
  [{ type: "string", minLength: 1, maxLength: 256 }, "non-empty text of at most 256 characters"],
  [{ type: "array", minItems: 3, maxItems: 3 }, "a list of 3 items"],
  [{ type: "integer" }, "a whole number"],
  [{ type: "integer", minimum: 1, maximum: safe }, "a whole number of at least 1"],
  [{ type: "integer", minimum: 1, maximum: 100 }, "a whole number from 1 to 100"],
  [{ type: "number", minimum: 0 }, "a number of at least 0"],
  [{ type: ["string", "null"] }, "text or null"],
  [{ type: ["integer", "boolean", "null"] }, "a whole number, true or false or null"],
  [{ const: "1.0" }, '"1.0"'],
  [{ enum: ["a"] }, '"a"'],
  [{ enum: ["a", 1, null] }, '"a", 1 or null'],
];
for (const [schema, phrase] of schemas) {
  test(`${JSON.stringify(schema)} is ${phrase}`, () => expect(describeSchema(schema)).toBe(phrase));
}

const values: readonly (readonly [value: unknown, phrase: string])[] = [
  ["many", '"many"'],
  ["x".repeat(40), `"${"x".repeat(40)}"`],
  ["x".repeat(41), `"${"x".repeat(40)}…"`],
  ['a"\n', '"a\\"\\n"'],
  [-1.5, "-1.5"],
  [Infinity, "Infinity"],
  [true, "true"],
  [null, "null"],
  [["a"], "a list"],
  [{ a: 1 }, "an object"],
];
for (const [value, phrase] of values) {
  test(`the value ${JSON.stringify(value)} is shown as ${phrase}`, () => {
    expect(describeValue(value, { type: "integer" })).toBe(phrase);
  });
}

test("text where an object or a list belongs is not shown: it may be a secret", () => {
  expect(describeValue("s3cret", { type: "object" })).toBe("text");
  expect(describeValue("s3cret", { type: ["array", "null"] })).toBe("text");
});

test("quote cuts long text", () => {
  expect(quote("name")).toBe('"name"');
  expect(quote("n".repeat(1_000))).toHaveLength(43);
});
