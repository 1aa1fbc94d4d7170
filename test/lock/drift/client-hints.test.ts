import { expect, test } from "bun:test";
import { isActedOn } from "#lock/drift/client-hints.ts";

test.each([
  ["anthropic/maxResultSizeChars", true],
  ["anthropic/alwaysLoad", true],
  ["openai/outputTemplate", true],
  ["com.anthropic/x", true],
  ["io.modelcontextprotocol/related-task", true],
  ["ui", true],
  ["ui/resourceUri", true],
  ["build", false],
  ["anthropic", false],
  ["uid", false],
  ["org.example/anthropic/x", false],
  ["notanthropic/x", false],
  ["_fastmcp", false],
])("clients act on the member %s of _meta: %p", (member, expected) => {
  expect(isActedOn(member)).toBe(expected);
});
