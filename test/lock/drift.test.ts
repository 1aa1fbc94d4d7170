import { expect, test } from "bun:test";
import { createDrift } from "#lock/drift.ts";

test("createDrift has the severity of its kind", () => {
  const change = { what: "the tool", before: "listed", after: "removed" };
  expect(createDrift("tool_removed", "t", change)).toEqual({
    severity: "BREAKING",
    kind: "tool_removed",
    tool: "t",
    ...change,
  });
});
