import { describe, expect, test } from "bun:test";
import { tableOf } from "#session/table.ts";

const text = (said: string): unknown => ({ content: [{ type: "text", text: said }] });

describe("tableOf", () => {
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
      expect<unknown>(tableOf(result)).toEqual(table);
    });
  }
});
