import { describe, expect, test } from "bun:test";
import { compareSchemas } from "#lock/drift/definition-changes.ts";
import { Gaps } from "#lock/drift/schema-gaps.ts";
import { Shapes } from "#lock/drift/schema-shapes.ts";
import { driftRules, severities } from "#lock/drift/severity-rules.ts";

const worst = (side: "input" | "output", before: unknown, after: unknown): string => {
  const changes = compareSchemas(side, { before, after });
  const found = new Set(changes.map(({ kind }) => driftRules[kind].severity));
  return severities.find((severity) => found.has(severity)) ?? "none";
};

const [text, integer, number, none] = ["string", "integer", "number", "null"].map((type) => ({
  type,
}));
const kind = (name: string) => ({
  type: "object",
  properties: { k: { const: name } },
  required: ["k"],
});
const tuple = { prefixItems: [{}, {}] };
const fields = { properties: { y: text }, required: ["y"] };
const rest = { unevaluatedProperties: false };
const items = { unevaluatedItems: false };
const [seven, twenty] = [
  { $schema: "http://json-schema.org/draft-07/schema#" },
  { $schema: "https://json-schema.org/draft/2020-12/schema" },
];
const limited = {
  properties: { q: { $ref: "#/definitions/a", maxLength: 2 } },
  definitions: { a: {} },
};
const at = (schema: object | undefined) => ({ type: "object", properties: { q: schema } });
const other = { type: "object", properties: { other: text }, required: ["other"] };

test.each([
  [
    at({ type: "object", properties: { from: text } }),
    at({ anyOf: [{ type: "object", properties: { from: text } }, { type: "string" }] }),
    "SAFE",
    "BREAKING",
  ],
  [at({ enum: ["a", "b"] }), at({ anyOf: [{ enum: ["a", "b"] }, none] }), "SAFE", "BREAKING"],
  [
    at(integer),
    at({ ...integer, minimum: -9007199254740991, maximum: 9007199254740991 }),
    "none",
    "none",
  ],
  [
    at({ type: "object", properties: { y: text, z: text } }),
    at({
      anyOf: [
        { type: "object", properties: { z: text } },
        { type: "object", properties: { y: text } },
      ],
    }),
    "SAFE",
    "BREAKING",
  ],
  [at({ enum: ["a", null] }), at({ oneOf: [{ const: "a" }, { type: "null" }] }), "none", "none"],
  [
    at({ oneOf: [kind("a")] }),
    at({ oneOf: [kind("a"), { type: "object" }] }),
    "BREAKING",
    "BREAKING",
  ],
  [at({ oneOf: [integer] }), at({ oneOf: [integer, number] }), "BREAKING", "BREAKING"],
  [at({ oneOf: [integer] }), at({ oneOf: [integer, integer] }), "BREAKING", "SAFE"],
  [at({ oneOf: [integer] }), at({ oneOf: [integer, none] }), "SAFE", "BREAKING"],
  [
    at({ oneOf: [integer, text] }),
    at({ oneOf: [integer, { type: ["string", "integer"] }] }),
    "BREAKING",
    "SAFE",
  ],
  [
    at({ oneOf: [{ type: "string", maxLength: 3 }, { minLength: 4 }] }),
    at({ oneOf: [{ type: "string", maxLength: 9 }, { minLength: 4 }] }),
    "BREAKING",
    "RISKY",
  ],
  [
    at({ oneOf: [{ type: "string", maxLength: 3 }, none] }),
    at({ oneOf: [{ type: "string", maxLength: 9 }, none] }),
    "SAFE",
    "RISKY",
  ],
  [at({ oneOf: [number, integer] }), at({ oneOf: [number] }), "SAFE", "RISKY"],
  [at({ oneOf: [number, none] }), at({ oneOf: [number] }), "BREAKING", "SAFE"],
  [
    { not: { $ref: "#/$defs/a" }, $defs: { a: { maxLength: 3 } } },
    { not: { $ref: "#/$defs/a" }, $defs: { a: { maxLength: 5 } } },
    "BREAKING",
    "RISKY",
  ],
  [at({ ...tuple, items: false }), at({ prefixItems: [{}], items: false }), "BREAKING", "SAFE"],
  [at({ ...tuple, items: false }), at({ items: false }), "BREAKING", "SAFE"],
  [at({ ...tuple, items: integer }), at({ prefixItems: [{}], items: integer }), "BREAKING", "SAFE"],
  [at({ items: false }), at({ ...tuple, items: false }), "SAFE", "RISKY"],
  [{ allOf: [{ properties: { y: text } }], ...rest }, rest, "BREAKING", "BREAKING"],
  [{ allOf: [fields, {}], ...rest }, { allOf: [{}], ...rest }, "BREAKING", "BREAKING"],
  [{ additionalProperties: true, ...rest }, rest, "BREAKING", "RISKY"],
  [at({ items: true, ...items }), at(items), "BREAKING", "RISKY"],
  [at({ items: {}, ...items }), at(items), "BREAKING", "RISKY"],
  [at({ ...tuple, ...items }), at(items), "BREAKING", "RISKY"],
  [{ ...seven }, { ...twenty }, "none", "none"],
  [{ ...seven, ...limited }, { ...twenty, ...limited }, "none", "none"],
  [{}, { ...twenty }, "none", "none"],
  [{ ...seven, ...limited }, { ...seven, ...limited, ...at({ maxLength: 2 }) }, "BREAKING", "SAFE"],
  [{ allOf: [fields, {}] }, { allOf: [{}] }, "BREAKING", "BREAKING"],
  [{ allOf: [fields] }, {}, "BREAKING", "BREAKING"],
  [at({ enum: [1, 2] }), at({ enum: [1, 2], const: 1 }), "BREAKING", "SAFE"],
  [at({}), { type: "object", properties: { q: null } }, "RISKY", "SAFE"],
  [other, { ...other, maxProperties: 1 }, "BREAKING", "SAFE"],
] as const)("%j, then %j", (before, after, input, output) => {
  expect([worst("input", before, after), worst("output", before, after)]).toEqual([input, output]);
});

function countGaps(levels: number): number {
  let [from, to]: [unknown, unknown] = [text, text];
  for (let level = 0; level < levels; level += 1) {
    from = { type: "object", properties: { a: from }, additionalProperties: false };
    to = { type: "object", additionalProperties: to };
  }
  return new Gaps(new Shapes(from), new Shapes(to)).find([from], [to]).length;
}

test("named members against any members are compared only 64 levels deep", () => {
  expect([countGaps(60), countGaps(70)]).toEqual([0, 1]);
});

const listOf = (count: number, last?: object, others: object = {}) => ({
  type: "array",
  prefixItems: [...Array.from({ length: count - 1 }, () => text), last],
  items: others,
});

describe("a change of a list's last element, or of the elements after it, is proven:", () => {
  test.each([39, 40, 41, 60])("%i elements", (count) => {
    expect(worst("input", listOf(count, text), listOf(count, number))).toBe("BREAKING");
    expect(worst("input", listOf(count, text, text), listOf(count, text, number))).toBe("BREAKING");
    expect(worst("output", listOf(count, integer), listOf(count, number))).toBe("BREAKING");
    const [change] = compareSchemas("input", {
      before: listOf(count, text),
      after: listOf(count, number),
    });
    expect(JSON.parse(change?.example ?? "null")).toHaveLength(count);
  });

  test("200 elements are undecided", () => {
    expect(worst("input", listOf(200, text), listOf(200, number))).toBe("RISKY");
  });
});

test("compareSchemas with nested arrays of forty elements ends", () => {
  const nest = (levels: number, inner: object): object =>
    levels === 0 ? inner : { type: "array", minItems: 40, items: nest(levels - 1, inner) };
  const [before, after] = [nest(8, { type: "string" }), nest(8, { type: "string", minLength: 2 })];
  expect(["RISKY", "BREAKING"]).toContain(worst("input", at(before), at(after)));
});
