import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { appendElements, findElements, keepElements } from "#wire/edit-line-bytes.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

const hard = fc.array(fc.constantFrom("[", "]", "{", "}", ",", '"', "\\", "é", "a"), {
  maxLength: 6,
});
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  hard.map((pieces) => pieces.join("")),
);
const array = fc.array(value, { minLength: 1, maxLength: 6 });

test("the elements of an array lie where JSON.parse finds them, whatever the white space", () => {
  fc.assert(
    fc.property(array, fc.constantFrom(undefined, 1), (values, indent) => {
      const bytes = bytesOf(JSON.stringify(values, undefined, indent));
      const found = findElements(bytes).map(([start, end]): unknown =>
        JSON.parse(textOf(bytes.subarray(start, end))),
      );
      expect(JSON.stringify(found)).toBe(JSON.stringify(values));
    }),
  );
});

test("what is kept is a batch of just these elements, their bytes untouched", () => {
  fc.assert(
    fc.property(array, fc.array(fc.boolean()), (values, keeps) => {
      const keep = (index: number): boolean => keeps[index] ?? index === 0;
      const expected = values.filter((_, index) => keep(index));
      fc.pre(expected.length > 0);
      const line = textOf(keepElements(bytesOf(JSON.stringify(values)), keep));
      expect(line).toBe(`${JSON.stringify(expected)}\n`);
    }),
  );
});

test("numbers stay as they were written", () => {
  const line = keepElements(bytesOf('[ {"id":1.0} ,{"id":9007199254740993}]\r\n'), () => true);
  expect(textOf(line)).toBe('[ {"id":1.0} ,{"id":9007199254740993}]\n');
});

test.each([
  [undefined, ["1\n"], "[1]\n"],
  ["[1, 2]", ["3\n", "4"], "[1, 2,3,4]\n"],
  [' {"a":[]}', ["3\n"], '[ {"a":[]},3]\n'],
  ["[ ]", ["3"], "[3]\n"],
])("appended to %p, %j is the batch %p", (batch, messages, result) => {
  const batchBytes = batch === undefined ? undefined : bytesOf(batch);
  expect(textOf(appendElements(batchBytes, messages.map(bytesOf)))).toBe(result);
});
