import { expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { compareSchemas } from "#lock/drift/definition-changes.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { allowed } from "../../support/measure.ts";
import { judgePairs } from "./schema-pairs.ts";

const ajv = new Ajv2020({ strict: false, logger: false });

const types = ["object", "array", "string", "integer", "number", "null", "boolean"];
const scalars = [1, 2, 1.5, "a", "aaa", null, true];
const names = fc.constantFrom("a", "b");

type Tied = { schema: JsonObject | boolean; keywords: JsonObject };

// Small schemas with every keyword whose change may be SAFE, and those that turn narrow into wide.
const { schema } = fc.letrec<Tied>((tie) => {
  const list = fc.array(tie("schema"), { minLength: 1, maxLength: 3 });
  const size = fc.integer({ min: 0, max: 3 });
  return {
    schema: fc.oneof({ depthSize: "small", withCrossShrink: true }, fc.boolean(), tie("keywords")),
    keywords: fc
      .record(
        {
          type: fc.oneof(
            fc.constantFrom(...types),
            fc.uniqueArray(fc.constantFrom(...types), { minLength: 1, maxLength: 3 }),
          ),
          enum: fc.uniqueArray(fc.constantFrom(...scalars), { minLength: 1, maxLength: 3 }),
          const: fc.constantFrom(...scalars),
          minimum: size,
          maximum: size,
          minLength: size,
          maxLength: size,
          minItems: size,
          maxItems: size,
          uniqueItems: fc.boolean(),
          multipleOf: fc.constantFrom(1, 2, 0.5),
          items: tie("schema"),
          prefixItems: list,
          // Ajv accepts an empty list for `contains: true` beside `prefixItems`.
          contains: fc.constantFrom({ type: "string" }, { const: 1 }),
          properties: fc.dictionary(names, tie("schema"), { maxKeys: 2 }),
          required: fc.uniqueArray(names, { maxLength: 2 }),
          additionalProperties: tie("schema"),
          unevaluatedProperties: fc.boolean(),
          unevaluatedItems: fc.boolean(),
          not: tie("schema"),
          anyOf: list,
          oneOf: list,
          allOf: list,
          $ref: fc.constantFrom("#/$defs/a", "#/$defs/b"),
        },
        { requiredKeys: [] },
      )
      .chain((all) =>
        fc.subarray(Object.keys(all), { maxLength: 3 }).map((keys) => pick(all, keys)),
      ),
  };
});

function pick(all: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, all[key]]));
}

const values: readonly unknown[] = [
  ...scalars,
  {},
  ...scalars.slice(0, 5).flatMap((one) => [{ a: one }, { b: one }, { c: one }, { a: one, b: 1 }]),
  [],
  ...scalars.flatMap((one) => [[one], [one, 1], ["a", one], [one, one, 2]]),
  [{}],
  [{ a: 1 }],
  { a: { a: 1 } },
  { a: [1, "a"] },
];

const edited = (value: unknown, replacement: unknown, at: number): unknown => {
  const next = Math.floor(at / 7);
  if (at % 7 === 0) return replacement;
  if (Array.isArray(value)) return editedList(value, replacement, at);
  if (!isObject(value)) return replacement;
  if (at % 7 === 1 && isObject(replacement)) return { ...value, ...replacement };
  const keys = Object.keys(value);
  const key = keys[next % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  const { [key]: member, ...rest } = value;
  return at % 7 === 2
    ? rest
    : { ...rest, [key]: edited(member, replacement, Math.floor(next / 2)) };
};

function editedList(list: readonly unknown[], replacement: unknown, at: number): unknown[] {
  const next = Math.floor(at / 7);
  const index = next % Math.max(1, list.length);
  if (at % 7 === 1 || list.length === 0) return [...list, replacement];
  if (at % 7 === 2) return list.toSpliced(index, 1);
  return list.with(index, edited(list[index], replacement, Math.floor(next / 2)));
}

const validator = (value: unknown) => {
  try {
    return ajv.compile(value as JsonObject);
  } catch {
    return undefined;
  } finally {
    ajv.removeSchema();
  }
};

const fits = (judge: (value: unknown) => unknown, value: unknown, endless = false): boolean => {
  try {
    return judge(value) === true;
  } catch {
    return endless;
  }
};

const isHarmless = (side: "input" | "output", before: unknown, after: unknown): boolean =>
  compareSchemas(side, { before, after }).every(({ kind }) =>
    ["SAFE", "COSMETIC"].includes(driftRules[kind].severity),
  );

test.each(["input", "output"] as const)(
  "no value is lost to callers of an %s by a change that is SAFE or COSMETIC",
  (side) => {
    let judged = 0;
    fc.assert(
      fc.property(schema, schema, schema, schema, fc.nat(2_400), (one, a, b, replacement, at) => {
        const before = { ...(isObject(one) ? one : { not: {} }), $defs: { a, b } };
        const after = edited(before, replacement, at);
        if (!isObject(after) || !isHarmless(side, before, after)) return;
        const [was, is] = [validator(before), validator(after)];
        if (!was || !is) return;
        judged += 1;
        const [from, to] = side === "input" ? [was, is] : [is, was];
        const lost = values.filter((value) => fits(from, value) && !fits(to, value, true));
        if (lost.length > 0) throw new Error(JSON.stringify({ before, after, lost }));
      }),
      { numRuns: 200, seed: 15 },
    );
    expect(judged).toBeGreaterThan(15);
  },
  allowed(60_000),
);

test("no breaking change is missed between schemas as generators write them", () => {
  const { missed, unproven, falseAlarms } = judgePairs(0, 60);
  expect({ missed, unproven }).toEqual({ missed: [], unproven: [] });
  expect(falseAlarms.length).toBeLessThan(4);
});
