import { expect, test } from "bun:test";
import { derivedUuid } from "#os/derived-uuid.ts";

test("the same name gives the same id, in every version of mcp-meter", () => {
  expect(derivedUuid("claude-code\n1111")).toBe(derivedUuid("claude-code\n1111"));
  expect(derivedUuid("claude-code\n1111")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/);
  expect(derivedUuid("claude-code\n1112")).not.toBe(derivedUuid("claude-code\n1111"));
});
