import { expect, test } from "bun:test";
import { describeToolResult } from "#tokens/cost/visibility.ts";
import { readAs } from "../../support/readings.ts";

test("nesting that JSON cannot write is an empty text, not a crash", () => {
  let deep: unknown = 0;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(describeToolResult({ other: deep }, readAs("Zed")).visible).toMatchObject([
    { kind: "text", text: "" },
  ]);
  expect(describeToolResult({ structuredContent: deep }, readAs("Zed")).wire).toEqual([]);
});
