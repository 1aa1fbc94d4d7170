import { expect, test } from "bun:test";
import { writtenArguments } from "#check/written-arguments.ts";

const line = (args: string, id = "1"): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t","arguments":${args}}}`;

/** The texts of numbers that JavaScript writes in another way. */
function written(args: string): unknown[] {
  const numbers = writtenArguments(`${line(args)}\n`, 0)?.["a"];
  if (!Array.isArray(numbers)) return expect.unreachable();
  return numbers.map((one: unknown) => (typeof one === "symbol" ? one.description : one));
}

test("writtenArguments keeps numbers as they are written", () => {
  expect(written('{"a":[1,-2.50,1e3,-0,-0.0,1.0,"9007199254740993",null,true]}')).toEqual([
    1,
    "-2.50",
    "1e3",
    "-0",
    "-0.0",
    "1.0",
    "9007199254740993",
    null,
    true,
  ]);
  expect(writtenArguments(line("{}"), 0)).toEqual({});
});

test.each([
  '{"a":9007199254740993}',
  '{"a":[{"b":0.1234567890123456789}]}',
  '{"a":1e400}',
  '{"a":NaN}',
])("writtenArguments does not read %s, which reading changes", (args) => {
  expect(writtenArguments(line(args), 0)).toBeUndefined();
});

test("writtenArguments reads the arguments of one message and nothing else", () => {
  expect(writtenArguments(line('{"a":1}', "9007199254740993"), 0)).toEqual({ a: 1 });
  const batch = `[${line('{"a":9007199254740993}')},${line('{"a":1}')}]`;
  expect([0, 1].map((at) => writtenArguments(batch, at))).toEqual([undefined, { a: 1 }]);
});
