import { describe, expect, test } from "bun:test";
import { detectShape, detectShapeIfCheap } from "#tokens/cost/data-shape.ts";
import { readRowLimit, rowLimitMax } from "#tokens/cost/describe-calls.ts";
import { overheadCharactersMin } from "#tokens/cost/answer-overhead/overhead.ts";

const text = (content: string): unknown => ({ content: [{ type: "text", text: content }] });

describe("detectShape", () => {
  const rows: readonly (readonly [what: string, result: unknown, table: unknown])[] = [
    ["no result", undefined, undefined],
    ["prose", text("hello"), undefined],
    ["broken JSON", text('[{"a":1}'), undefined],
    ["an array of numbers", text("[1,2]"), undefined],
    ["an empty array", text("[]"), undefined],
    [
      "rows in text",
      text('[{"a":1,"b":2},{"a":3,"c":4}]'),
      { rows: 2, columns: 3, truncated: false },
    ],
    [
      "the only list of an object",
      text('{"items":[{"a":1}],"has_more":true}'),
      { rows: 1, columns: 1, truncated: true },
    ],
    ["two lists", text('{"a":[{"x":1}],"b":[{"x":1}]}'), undefined],
    [
      "structuredContent before text",
      { ...(text("[]") as object), structuredContent: { rows: [{ a: 1 }, { b: 2 }] } },
      { rows: 2, columns: 2, truncated: false },
    ],
    [
      "rows as arrays below columnNames",
      text('{"columnNames":["id","title"],"rows":[[1,"One"],[2,"Two"],[3,"Six"]],"has_more":true}'),
      { rows: 3, columns: 2, truncated: true },
    ],
    [
      "data as arrays below columnNames, in structuredContent",
      { structuredContent: { columnNames: ["a", "b", "c"], data: [[1, 2, 3]], total: 1 } },
      { rows: 1, columns: 3, truncated: false },
    ],
    [
      "columnNames without rows",
      text('{"columnNames":["a"],"rows":[]}'),
      { rows: 0, columns: 1, truncated: false },
    ],
    [
      "columnNames and two lists",
      text('{"columnNames":["a"],"rows":[[1]],"data":[[1]]}'),
      undefined,
    ],
    [
      "columns above objects",
      text('{"columns":["id","title"],"rows":[{"id":1},{"id":2,"title":"Two"}]}'),
      { rows: 2, columns: 2, truncated: false },
    ],
    [
      "columns above arrays and objects",
      text('{"columns":["id"],"rows":[[1],{"id":2}]}'),
      undefined,
    ],
    ["columnNames above values", text('{"columnNames":["a"],"rows":[1]}'), undefined],
    ["an empty list of names", text('{"columnNames":[],"rows":[[]]}'), undefined],
    ["CSV", text("id,title\n1,One\n"), { rows: 1, columns: 2, truncated: false }],
    ["Markdown", text("| a |\n|---|\n| 1 |\n"), { rows: 1, columns: 1, truncated: false }],
    [
      "a cached table",
      text('{"rows":[{"a":1}],"cachedResult":true,"truncated":false}'),
      { rows: 1, columns: 1, truncated: false, cached_result: true },
    ],
    [
      "an object that is cached, and no table",
      text('{"n":1,"cached_result":false}'),
      { cached_result: false },
    ],
    ["an object that is truncated", text('{"text":"a","has_more":true}'), { truncated: true }],
    [
      "flags that contradict each other",
      text('{"truncated":false,"hasMore":true}'),
      { truncated: true },
    ],
    [
      "flags of other types",
      { structuredContent: { truncated: "yes", cachedResult: 1, hasMore: null, rows: -1 } },
      undefined,
    ],
    ["flags that are inherited", text('{"__proto__":{"cachedResult":true}}'), undefined],
    [
      "a list as structuredContent",
      { structuredContent: [{ a: 1 }] },
      { rows: 1, columns: 1, truncated: false },
    ],
    [
      "CSV that the Python SDK wraps in structuredContent",
      {
        ...(text("id,title\n1,One\n") as object),
        structuredContent: { result: "id,title\n1,One\n" },
      },
      { rows: 1, columns: 2, truncated: false },
    ],
    [
      "JSON that the Python SDK wraps in structuredContent",
      { structuredContent: { result: '[{"a":1},{"b":2}]' } },
      { rows: 2, columns: 2, truncated: false },
    ],
    [
      "a text beside other members of structuredContent",
      {
        ...(text("id,title\n1,One\n") as object),
        structuredContent: { result: "a,b\n1,2\n", n: 1 },
      },
      undefined,
    ],
    [
      "two texts",
      {
        content: [
          { type: "text", text: '[{"a":1}]' },
          { type: "text", text: "x" },
        ],
      },
      undefined,
    ],
  ];
  for (const [what, result, table] of rows) {
    test(`of ${what}`, () => {
      expect<unknown>(detectShape(result)).toEqual(table);
    });
  }
});

test("a line of spaces before something else takes no longer than another", () => {
  expect(detectShape(text(`${" ".repeat(250_000)}x|\n`))).toBeUndefined();
});

test("detectShapeIfCheap ignores long texts and tables that are not JSON", () => {
  const shape = { rows: 1, columns: 1, truncated: false };
  const long = JSON.stringify([{ a: "x".repeat(overheadCharactersMin) }]);
  expect(detectShapeIfCheap(text('[{"a":1}]'))).toEqual(shape);
  expect(detectShapeIfCheap({ structuredContent: { result: '[{"a":1}]' } })).toEqual(shape);
  expect(detectShapeIfCheap({ ...(text(long) as object), structuredContent: [{ a: 1 }] })).toEqual(
    shape,
  );
  for (const noTable of [
    long,
    "id,title\n1,One\n",
    "| a |\n|---|\n| 1 |\n",
    '[{"a":1}',
    "",
    "{}",
  ]) {
    expect(detectShapeIfCheap(text(noTable))).toBeUndefined();
  }
});

describe("readRowLimit", () => {
  test.each<readonly [rawArguments: unknown, limit: number | undefined]>([
    [{ limit: 10 }, 10],
    [{ maxRowsLimit: 500 }, 500],
    [{ page_size: 20 }, 20],
    [{ limit: "10", pageSize: rowLimitMax }, rowLimitMax],
    [{ limit: rowLimitMax + 1 }, undefined],
    [{ limit: 0 }, undefined],
    [{ limit: -5 }, undefined],
    [{ limit: 1.5 }, undefined],
    [{ limit: 1e300 }, undefined],
    [{ limit: Infinity }, undefined],
    [{ limit: null, maxRowsLimit: [1], pageSize: { limit: 1 } }, undefined],
    [JSON.parse('{"__proto__":{"limit":5}}'), undefined],
    [[10], undefined],
    ["limit", undefined],
    [undefined, undefined],
  ])("of %j is %p", (rawArguments, limit) => {
    expect(readRowLimit(rawArguments)).toBe(limit);
  });
});
