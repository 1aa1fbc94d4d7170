import { expect, test } from "bun:test";
import { callIds } from "#importers/opencode/call-ids.ts";

test("a call keeps its id in a copy, and has another one when it began at another time", () => {
  const id = callIds();
  expect([id("call_0", 5), id("call_0", 5), id("call_0", 9), id("call_0", null)]).toEqual([
    "call_0",
    "call_0",
    "call_0@9",
    "call_0@",
  ]);
});
