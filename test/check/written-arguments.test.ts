import { expect, test } from "bun:test";
import { areArgumentsExact } from "#check/exact-arguments.ts";

const line = (args: string, id = "1"): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"t","arguments":${args}}}`;

test.each([
  ['{"a":[1,-2.50,1e3,"9007199254740993",null,true]}', true],
  ["{}", true],
  ['{"a":9007199254740993}', false],
  ['{"a":[{"b":0.1234567890123456789}]}', false],
  ['{"a":1e400}', false],
  ['{"a":NaN}', false],
])("areArgumentsExact of %s: %p", (args, isExact) => {
  expect(areArgumentsExact(`${line(args)}\n`, 0)).toBe(isExact);
});

test("areArgumentsExact reads the arguments of one message and nothing else", () => {
  expect(areArgumentsExact(line('{"a":1}', "9007199254740993"), 0)).toBe(true);
  const batch = `[${line('{"a":9007199254740993}')},${line('{"a":1}')}]`;
  expect([0, 1].map((at) => areArgumentsExact(batch, at))).toEqual([false, true]);
});
