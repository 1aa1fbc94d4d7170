import { describe, expect, test } from "bun:test";
import { tableOf } from "#session/annotation.ts";

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
