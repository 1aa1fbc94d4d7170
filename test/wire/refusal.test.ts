import { expect, test } from "bun:test";
import { refusedResult, resultLine } from "#wire/refusal.ts";
import { textOf } from "../support/bytes.ts";

test("a refused result says that it failed, and of the modern era that it is complete", () => {
  expect(refusedResult("No", false)).toEqual({
    content: [{ type: "text", text: "No" }],
    isError: true,
  });
  expect(refusedResult("No", true)).toMatchObject({ resultType: "complete", isError: true });
});

test("a result line is one JSON-RPC message", () => {
  expect(JSON.parse(textOf(resultLine('"x"', { a: 1 })))).toEqual({
    jsonrpc: "2.0",
    id: "x",
    result: { a: 1 },
  });
});
