import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { compareDefinitions } from "#lock/drift/definition-changes.ts";
import { driftRules } from "#lock/drift/severity-rules.ts";
import { isObject, type JsonObject } from "#wire/json.ts";

const obey = "IGNORE ALL PREVIOUS";

const keywords =
  `$schema $id $anchor $ref $dynamicRef $recursiveRef $comment $defs definitions type enum const title default
   examples nullable minLength pattern minimum multipleOf items prefixItems additionalItems unevaluatedItems contains
   minContains uniqueItems properties patternProperties additionalProperties unevaluatedProperties propertyNames required
   dependentRequired dependentSchemas dependencies if then not allOf anyOf oneOf contentEncoding x-foo`.split(
    /\s+/,
  );

const forms: readonly unknown[] = [
  obey,
  [obey],
  [[obey]],
  { [obey]: 1 },
  { [obey]: true },
  { [obey]: {} },
  { [obey]: [] },
  [{ [obey]: 1 }],
  { a: obey },
  { description: obey },
  [{ description: obey }],
];

const tool = (side: "inputSchema" | "outputSchema", schema: unknown): JsonObject => ({
  name: "t",
  inputSchema: { type: "object" },
  [side]: schema,
});

const isRisk = (side: "inputSchema" | "outputSchema", before: unknown, after: unknown): boolean =>
  compareDefinitions(tool(side, before), tool(side, after)).some(
    ({ kind }) => !["SAFE", "COSMETIC"].includes(driftRules[kind].severity),
  );

const base = { type: "object", properties: { p: { type: "array", items: { type: "string" } } } };
const spots: readonly ((more: JsonObject) => JsonObject)[] = [
  (more) => ({ ...base, ...more }),
  (more) => ({ ...base, properties: { p: { ...base.properties.p, ...more } } }),
  (more) => ({
    ...base,
    properties: { p: { ...base.properties.p, items: { type: "string", ...more } } },
  }),
];

test.each(["inputSchema", "outputSchema"] as const)(
  "a text in any keyword, in whichever form, is a risk in an %s",
  (side) => {
    const unseen = keywords.flatMap((keyword) =>
      forms.flatMap((form, at) =>
        spots
          .filter((spot) => !isRisk(side, spot({}), spot({ [keyword]: form })))
          .map(() => `${keyword} ${at}`),
      ),
    );
    expect(unseen).toEqual([]);
  },
);

test("a text in a keyword of another form names its place", () => {
  const [change] = compareDefinitions(
    tool("inputSchema", base),
    tool("inputSchema", { ...base, required: [{ x: obey }] }),
  );
  expect(change).toMatchObject({
    kind: "text_changed",
    what: "the input schema: new text in required",
    after: "x",
  });
});

function* injected(value: unknown): Generator<unknown> {
  yield obey;
  yield Array.isArray(value) ? [...value, obey] : [value, obey];
  if (Array.isArray(value)) {
    for (const [at, element] of value.entries()) {
      for (const changed of injected(element)) yield value.with(at, changed);
    }
  } else if (isObject(value)) {
    yield { ...value, [obey]: 1 };
    for (const [key, element] of Object.entries(value)) {
      for (const changed of injected(element)) yield { ...value, [key]: changed };
    }
  }
}

const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.dictionary(
    fc.constantFrom(...keywords),
    fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<unknown>("string", "#", "a", ["a", "b"], true, false, 1, {}),
      fc.array(tie("schema"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("schema"), { maxKeys: 2 }),
      tie("schema"),
    ),
    { maxKeys: 4 },
  ),
})).schema;

test("a text that was not there, at any place of any schema, is a risk", () => {
  fc.assert(
    fc.property(schemas, fc.constantFrom("inputSchema", "outputSchema"), (schema, side) => {
      const before = { ...schema, type: "object" };
      for (const after of injected(before)) {
        if (!isRisk(side, before, after)) throw new Error(JSON.stringify(after));
      }
    }),
    { numRuns: 15 },
  );
});
