import { expect, test } from "bun:test";
import { answerIn, partAt } from "#check/answer.ts";

const block = (text: string) => ({ type: "text", text });

test.each([
  [{ content: [block("a"), block("b")] }, { text: "a\nb", structure: undefined }],
  [{ content: [block('{"a":1}')] }, { text: '{"a":1}', structure: { a: 1 } }],
  [
    { content: [block("a")], structuredContent: { b: 1 } },
    { text: "a", structure: { b: 1 } },
  ],
  [{ structuredContent: { b: 1 } }, { text: '{"b":1}', structure: { b: 1 } }],
  [
    {
      content: [
        { type: "resource", resource: { text: "r" } },
        { type: "image", data: "x" },
      ],
    },
    { text: "r", structure: undefined },
  ],
  [{}, { text: "", structure: undefined }],
  [null, { text: "", structure: undefined }],
])("answerIn of %j", (result, answer) => {
  expect(answerIn(result)).toEqual(answer);
});

const value = { a: [{ "b/c": 1, "~": 2 }, null], "": { x: 3 } };

test.each([
  ["", value],
  ["/a/0/b~1c", 1],
  ["/a/0/~0", 2],
  ["/a/1", null],
  ["/a/2", undefined],
  ["/a/00", undefined],
  ["/a/length", undefined],
  ["//x", 3],
  ["/toString", undefined],
  ["/a/0/b~1c/d", undefined],
])("partAt %j", (pointer, part) => {
  expect(partAt(value, pointer)).toEqual(part);
});
