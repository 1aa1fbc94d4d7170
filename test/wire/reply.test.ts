import { expect, test } from "bun:test";
import { errorLine, notificationLine, resultLine } from "#wire/reply.ts";
import { textOf } from "../support/bytes.ts";

test.each([
  ["a result", resultLine('"x"', { a: 1 }), { id: "x", result: { a: 1 } }],
  ["an error", errorLine("9", { code: -1 }), { id: 9, error: { code: -1 } }],
  ["a notification", notificationLine("m", { a: 1 }), { method: "m", params: { a: 1 } }],
])("%s is one JSON-RPC line", (_name, line, members) => {
  expect(textOf(line).indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(textOf(line))).toEqual({ jsonrpc: "2.0", ...members });
});

test("an id keeps its own text", () => {
  expect(textOf(resultLine("1.0e2", {}))).toBe('{"jsonrpc":"2.0","id":1.0e2,"result":{}}\n');
});
