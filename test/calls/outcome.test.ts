import { describe, expect, test } from "bun:test";
import { outcomeOfResult } from "#calls/outcome.ts";

describe("outcomeOfResult", () => {
  const rows: readonly (readonly [method: string, result: unknown, outcome: string])[] = [
    ["tools/call", { isError: true }, "tool_error"],
    ["tools/call", { isError: false }, "ok"],
    ["tools/call", { isError: "true" }, "ok"],
    ["tools/call", null, "ok"],
    ["tools/call", { isError: true, resultType: "input_required" }, "ok"],
    ["prompts/get", { isError: true }, "ok"],
  ];
  for (const [method, result, outcome] of rows) {
    test(`${method} ${JSON.stringify(result)} is ${outcome}`, () => {
      expect(outcomeOfResult(method, result)).toBe(outcome as ReturnType<typeof outcomeOfResult>);
    });
  }
});
