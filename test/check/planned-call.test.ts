import { expect, test } from "bun:test";
import { answerKey } from "#check/planned-call.ts";

function key(tool: string, args: Record<string, unknown>): string {
  return answerKey({ tool, arguments: args }, (text) => text);
}

test("answerKey knows a call by tool and arguments, in any order", () => {
  expect(key("t", { a: 1, b: 2 })).toBe(key("t", { b: 2, a: 1 }));
  expect(key("t", { a: 1 })).not.toBe(key("u", { a: 1 }));
});

test("answerKey of a variable is that of its name, so that a lock holds no secret's hash", () => {
  expect(key("t", { token: "${TOKEN}" })).toContain("${TOKEN}");
});
