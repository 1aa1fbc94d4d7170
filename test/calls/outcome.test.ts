import { describe, expect, test } from "bun:test";
import { outcomeOf } from "#calls/outcome.ts";

describe("outcomeOf", () => {
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
      expect(outcomeOf(method, result)).toBe(outcome as ReturnType<typeof outcomeOf>);
    });
  }
});
