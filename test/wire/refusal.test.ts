import { expect, test } from "bun:test";
import { refusedError, refusedResult } from "#wire/refusal.ts";

test("a refused result says that it failed, and of the modern era that it is complete", () => {
  expect(refusedResult("No", false)).toEqual({
    content: [{ type: "text", text: "No" }],
    isError: true,
  });
  expect(refusedResult("No", true)).toMatchObject({ resultType: "complete", isError: true });
});

test("a refused error carries its facts for programs", () => {
  const data = {
    source: "mcp-meter",
    reason: "budget_spent",
    tool: "search",
    limit: 1,
    spent: 1,
    tokens: 0,
    per: "session",
  } as const;
  expect(refusedError("No", data)).toEqual({ code: -31_900, message: "No", data });
});
