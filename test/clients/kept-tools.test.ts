import { expect, test } from "bun:test";
import { keptTools } from "#clients/kept-tools.ts";
import type { JsonObject } from "#wire/json.ts";

test.each<[JsonObject, string]>([
  [{}, "a b c"],
  [{ enabled_tools: ["a", "b"], disabled_tools: ["b"] }, "a"],
  [{ includeTools: ["a"] }, "a"],
  [{ includeTools: [] }, ""],
  [{ excludeTools: ["a", 1] }, "b c"],
  [{ disabledTools: ["c"] }, "a b"],
  [{ tools: ["*"] }, "a b c"],
  [{ tools: ["b"] }, "b"],
  [{ tools: { a: { approval_mode: "approve" } } }, "a b c"],
  [{ enabled_tools: "a" }, "a b c"],
])("the entry %j keeps %s", (entry, kept) => {
  expect(["a", "b", "c"].filter(keptTools(entry)).join(" ")).toBe(kept);
});
