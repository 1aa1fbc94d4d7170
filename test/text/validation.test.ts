import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { type Validator, validated } from "#text/validation.ts";

const count = { type: "integer", minimum: 0 };

/** A validator as scripts/validators.ts compiles it, with the errors of the same compiler. */
function validatorFor(schema: object): Validator<unknown> {
  const ajv = new Ajv2020({ verbose: true, messages: false, ownProperties: true });
  return ajv.compile(schema) as unknown as Validator<unknown>;
}

const validate = validatorFor({
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    sizes: { type: "array", items: count, maxItems: 2 },
    words: { type: "array", title: "a list of words", minItems: 1 },
    keys: {
      type: "object",
      propertyNames: { type: "string", pattern: "^k", title: "a key" },
      additionalProperties: count,
    },
    rows: {
      type: "array",
      items: {
        type: "object",
        properties: { kind: { enum: ["a", "b"] }, size: count },
        required: ["kind"],
        additionalProperties: false,
      },
    },
  },
  required: ["name"],
  additionalProperties: false,
});

test("a value that matches comes back as it is", () => {
  const value = { name: "n", sizes: [1, 2], rows: [{ kind: "a" }] };
  expect(validated(value, validate)).toEqual({ value });
});

const mismatches: readonly (readonly [value: unknown, fault: string])[] = [
  [3, "it must be an object, not 3"],
  [null, "it must be an object, not null"],
  [[], "it must be an object, not a list"],
  [{}, "name is required and must be non-empty text"],
  [{ name: "" }, "name must not be empty"],
  [{ name: 5 }, "name must be non-empty text, not 5"],
  [{ name: "n", sizes: {} }, "sizes must be a list, not an object"],
  [{ name: "n", sizes: [1, -1] }, "sizes[1] must be a whole number of at least 0, not -1"],
  [{ name: "n", sizes: [1.5] }, "sizes[0] must be a whole number of at least 0, not 1.5"],
  [{ name: "n", words: 1 }, "words must be a list of words, not 1"],
  [{ name: "n", words: [] }, "words must not be empty"],
  [{ name: "n", keys: { k: 1, x: 1 } }, '"x" in keys must be a key'],
  [{ name: "n", sizes: [1, 2, 3] }, "sizes must be a list, not 3"],
  [{ name: "n", rows: [{ kind: "c" }] }, 'rows[0].kind must be "a" or "b", not "c"'],
  [{ name: "n", rows: [{}] }, 'rows[0].kind is required and must be "a" or "b"'],
  [
    { name: "n", rows: [{ kind: "a" }, { kind: "b", sizes: 5 }] },
    'unknown property "sizes" in rows[1] (did you mean "size"?)',
  ],
  // Both missing and unknown: the unknown name is the one to correct.
  [{ nam: "n" }, 'unknown property "nam" (did you mean "name"?)'],
  [{ name: "n", colour: 1 }, 'unknown property "colour"'],
  [JSON.parse('{"name": "n", "__proto__": 1}'), 'unknown property "__proto__"'],
  [Object.create({ name: "n" }), "name is required and must be non-empty text"],
  [{ name: "n", ["x".repeat(5_000)]: 1 }, `unknown property "${"x".repeat(40)}…"`],
];
for (const [value, fault] of mismatches) {
  test(`${(JSON.stringify(value) ?? "").slice(0, 80)}: ${fault}`, () => {
    expect(validated(value, validate)).toMatchObject({ fault });
  });
}

const nameOf = (steps: readonly string[]): string => `<${steps.join(",")}>`;

test("a place has the name that the caller gives it", () => {
  expect(validated(3, validate, nameOf)).toMatchObject({ fault: "<> must be an object, not 3" });
  expect(validated({ name: "n", sizes: 1 }, validate, nameOf)).toMatchObject({
    fault: "<sizes> must be a list, not 1",
  });
});

test.each([
  [{ name: "n", rows: [{ kind: "c" }] }, ["rows", "0", "kind"], "value"],
  [{ name: "n", rows: [{}] }, ["rows", "0"], "value"],
  [{ name: "n", "a/b~": 1 }, ["a/b~"], "name"],
  [{ name: "n", rows: [{ kind: "a", sizes: 5 }] }, ["rows", "0", "sizes"], "name"],
  [{ name: "n", keys: { x: 1 } }, ["keys", "x"], "name"],
  [3, [], "value"],
] as const)("%j: the path to the mismatch", (value, path, part) => {
  expect(validated(value, validate)).toMatchObject({ path, part });
});
