import { expect, test } from "bun:test";
import { schemaChanges } from "#lock/drift/schema-changes.ts";
import { driftRules, severities } from "#lock/severity.ts";

const worst = (side: "input" | "output", before: unknown, after: unknown): string => {
  const changes = schemaChanges(side, { before, after });
  const found = new Set(changes.map(({ kind }) => driftRules[kind].severity));
  return severities.find((one) => found.has(one)) ?? "none";
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
const at = (schema: object) => ({ type: "object", properties: { q: schema } });

test.each([
  [
    "a branch that overlaps",
    at({ oneOf: [kind("a")] }),
    at({ oneOf: [kind("a"), { type: "object" }] }),
    "BREAKING",
    "RISKY",
  ],
  [
    "a number beside an integer",
    at({ oneOf: [integer] }),
    at({ oneOf: [integer, number] }),
    "BREAKING",
    "RISKY",
  ],
  [
    "the same branch twice",
    at({ oneOf: [integer] }),
    at({ oneOf: [integer, integer] }),
    "BREAKING",
    "RISKY",
  ],
  [
    "a branch of another type",
    at({ oneOf: [integer] }),
    at({ oneOf: [integer, none] }),
    "SAFE",
    "RISKY",
  ],
  [
    "a branch widened over another",
    at({ oneOf: [integer, text] }),
    at({ oneOf: [integer, { type: ["string", "integer"] }] }),
    "BREAKING",
    "BREAKING",
  ],
  [
    "a longer branch beside another",
    at({ oneOf: [{ type: "string", maxLength: 3 }, { minLength: 4 }] }),
    at({ oneOf: [{ type: "string", maxLength: 9 }, { minLength: 4 }] }),
    "BREAKING",
    "RISKY",
  ],
  [
    "a longer branch by itself",
    at({ oneOf: [{ type: "string", maxLength: 3 }, none] }),
    at({ oneOf: [{ type: "string", maxLength: 9 }, none] }),
    "SAFE",
    "RISKY",
  ],
  [
    "an overlapping branch less",
    at({ oneOf: [number, integer] }),
    at({ oneOf: [number] }),
    "BREAKING",
    "RISKY",
  ],
  [
    "a disjoint branch less",
    at({ oneOf: [number, none] }),
    at({ oneOf: [number] }),
    "BREAKING",
    "SAFE",
  ],
  [
    "a wider definition under not",
    { not: { $ref: "#/$defs/a" }, $defs: { a: { maxLength: 3 } } },
    { not: { $ref: "#/$defs/a" }, $defs: { a: { maxLength: 5 } } },
    "BREAKING",
    "RISKY",
  ],
  [
    "a shorter tuple under items: false",
    at({ ...tuple, items: false }),
    at({ prefixItems: [{}], items: false }),
    "BREAKING",
    "SAFE",
  ],
  [
    "no tuple under items: false",
    at({ ...tuple, items: false }),
    at({ items: false }),
    "BREAKING",
    "SAFE",
  ],
  [
    "a shorter tuple before narrower items",
    at({ ...tuple, items: integer }),
    at({ prefixItems: [{}], items: integer }),
    "BREAKING",
    "SAFE",
  ],
  [
    "a tuple under items: false that was not",
    at({ items: false }),
    at({ ...tuple, items: false }),
    "SAFE",
    "RISKY",
  ],
  [
    "no allOf under unevaluatedProperties",
    { allOf: [{ properties: { y: text } }], ...rest },
    rest,
    "BREAKING",
    "BREAKING",
  ],
  [
    "a branch of allOf less under unevaluatedProperties",
    { allOf: [fields, {}], ...rest },
    { allOf: [{}], ...rest },
    "BREAKING",
    "BREAKING",
  ],
  [
    "no additionalProperties: true under unevaluatedProperties",
    { additionalProperties: true, ...rest },
    rest,
    "BREAKING",
    "RISKY",
  ],
  [
    "no items: true under unevaluatedItems",
    at({ items: true, ...items }),
    at(items),
    "BREAKING",
    "RISKY",
  ],
  [
    "no items: {} under unevaluatedItems",
    at({ items: {}, ...items }),
    at(items),
    "BREAKING",
    "RISKY",
  ],
  ["no tuple under unevaluatedItems", at({ ...tuple, ...items }), at(items), "BREAKING", "RISKY"],
  ["another dialect", { ...seven }, { ...twenty }, "RISKY", "RISKY"],
  [
    "another dialect, and a limited reference",
    { ...seven, ...limited },
    { ...twenty, ...limited },
    "BREAKING",
    "BREAKING",
  ],
  ["the usual dialect", {}, { ...twenty }, "COSMETIC", "COSMETIC"],
  [
    "a reference less beside a limit",
    { ...seven, ...limited },
    { ...seven, ...limited, ...at({ maxLength: 2 }) },
    "BREAKING",
    "BREAKING",
  ],
  [
    "a branch of allOf less with fields",
    { allOf: [fields, {}] },
    { allOf: [{}] },
    "SAFE",
    "BREAKING",
  ],
  ["no allOf with fields", { allOf: [fields] }, {}, "SAFE", "BREAKING"],
  [
    "a constant beside an enum",
    at({ enum: [1, 2] }),
    at({ enum: [1, 2], const: 1 }),
    "BREAKING",
    "SAFE",
  ],
  [
    "a schema that is null",
    at({}),
    { type: "object", properties: { q: null } },
    "BREAKING",
    "BREAKING",
  ],
] as const)("a schema with %s", (_, before, after, input, output) => {
  expect([worst("input", before, after), worst("output", before, after)]).toEqual([input, output]);
});
