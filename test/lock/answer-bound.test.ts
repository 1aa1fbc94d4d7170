import { describe, expect, test } from "bun:test";
import { findAnswerBound, estimateWorstCase, itemTokensDefault } from "#lock/answer-worst-case.ts";

// 95 characters of JSON: 28 tokens.
const item = {
  type: "object",
  properties: {
    id: { type: "integer" },
    title: { type: "string" },
    at: { type: "string", format: "date-time" },
  },
};
const list = (extra: object = {}) => ({
  type: "object",
  properties: { items: { type: "array", items: item, ...extra } },
});
const limit = { type: "object", properties: { limit: { type: "integer", maximum: 50 } } };

describe("the worked example", () => {
  test("28 tokens an item, at most 50: 1,450", () => {
    const bound = findAnswerBound({ inputSchema: limit, outputSchema: list() });
    expect(bound).toEqual({
      kind: "bounded",
      items: 50,
      itemTokens: 28,
      isItemSizeAssumed: true,
      source: "limit",
    });
    expect(estimateWorstCase(bound)).toBe(1_450);
  });

  test("the same without a bound: 2,800, unbounded", () => {
    const bound = findAnswerBound({ inputSchema: {}, outputSchema: list() });
    expect(bound).toEqual({ kind: "unbounded", itemTokens: 28 });
    expect(estimateWorstCase(bound)).toBe(2_800);
  });

  test("with a declared size of 7,000: 2,000, whatever else bounds it", () => {
    const declared = { _meta: { "anthropic/maxResultSizeChars": 7_000 } };
    const bound = findAnswerBound({ ...declared, inputSchema: limit, outputSchema: list() });
    expect(bound.kind).toBe("declared");
    expect(estimateWorstCase(bound)).toBe(2_000);
    const text = { properties: { text: { type: "string", maxLength: 7_000 } } };
    expect(estimateWorstCase(findAnswerBound({ outputSchema: text }))).toBe(2_000);
  });
});

const unbounded = { kind: "unbounded", itemTokens: itemTokensDefault } as const;
const by = (items: number, source: string) => ({
  kind: "bounded",
  items,
  itemTokens: itemTokensDefault,
  isItemSizeAssumed: true,
  source,
});
const input = (properties: object) => ({ inputSchema: { type: "object", properties } });

test.each([
  ["nothing known", {}, unbounded],
  ["a limit without a maximum", input({ limit: { type: "integer" } }), unbounded],
  ["a generator's largest integer", input({ limit: { maximum: 2 ** 53 - 1 } }), unbounded],
  ["a maximum of no limit", input({ age: { maximum: 5 } }), unbounded],
  ["per_page", input({ per_page: { maximum: 30 } }), by(30, "per_page")],
  [
    "maxResults below, exclusive",
    input({ maxResults: { exclusiveMaximum: 11 } }),
    by(10, "maxResults"),
  ],
  [
    "optional by anyOf",
    input({ limit: { anyOf: [{ maximum: 9 }, { type: "null" }] } }),
    by(9, "limit"),
  ],
  ["one object deeper", input({ page: { properties: { size: { maximum: 5 } } } }), by(5, "size")],
  [
    "two limits: the smaller",
    input({ limit: { maximum: 9 }, count: { maximum: 3 } }),
    by(3, "count"),
  ],
  [
    "max_chars",
    input({ max_chars: { maximum: 70 } }),
    { kind: "declared", characters: 70, source: "max_chars" },
  ],
  ["meta that is no number", { _meta: { "anthropic/maxResultSizeChars": "7000" } }, unbounded],
] as const)("answerBound with %s", (_, tool, bound) => {
  expect<unknown>(findAnswerBound(tool)).toEqual(bound);
});

test("answerBound takes maxItems of the output schema, and the smaller of that and a limit", () => {
  const tool = { outputSchema: list({ maxItems: 20 }) };
  expect(findAnswerBound(tool)).toMatchObject({ items: 20, source: "outputSchema maxItems" });
  expect(findAnswerBound({ ...tool, inputSchema: limit })).toMatchObject({ items: 20 });
  const wide = { outputSchema: list({ maxItems: 80 }), inputSchema: limit };
  expect(findAnswerBound(wide)).toMatchObject({ items: 50, source: "limit" });
});

test("answerBound assumes an item unless the schema limits each of its values", () => {
  const closed = { properties: { id: { type: "integer" }, state: { enum: ["on", "off"] } } };
  for (const [items, isItemSizeAssumed] of [
    [closed, false],
    [item, true],
  ] as const) {
    const outputSchema = { properties: { rows: { type: "array", maxItems: 5, items } } };
    expect(findAnswerBound({ outputSchema })).toMatchObject({ items: 5, isItemSizeAssumed });
  }
});

test("answerBound takes the open list of several, and an open string for unbounded", () => {
  const two = {
    properties: {
      closed: { type: "array", maxItems: 3, items: item },
      open: { type: "array", items: { type: "boolean" } },
    },
  };
  expect(findAnswerBound({ outputSchema: two })).toEqual({ kind: "unbounded", itemTokens: 2 });
  const text = { properties: { text: { type: "string" } } };
  expect(findAnswerBound({ outputSchema: text }).kind).toBe("unbounded");
});

test("answerBound of values that are all of known length is a declared size", () => {
  const closed = { properties: { ok: { type: "boolean" }, state: { enum: ["on", "off"] } } };
  expect(findAnswerBound({ outputSchema: closed })).toMatchObject({
    kind: "declared",
    characters: 10,
  });
});
