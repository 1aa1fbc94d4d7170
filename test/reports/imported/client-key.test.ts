import { expect, test } from "bun:test";
import { clientKey } from "#reports/imported/client-key.ts";

test.each([
  ["claude-code", "claude-code"],
  ["codex-mcp-client", "codex"],
  ["gemini-cli-mcp-client", "gemini-cli"],
  ["qwen-cli-mcp-client", "qwen-code"],
])("%s writes the logs of %s", (given, logged) => {
  expect(clientKey(given)).toBe(clientKey(logged));
});

test("other clients have their own names, and none has none", () => {
  expect([clientKey("Goose"), clientKey("amp"), clientKey(null)]).toEqual(["goose", "amp", null]);
  expect(clientKey("codex")).not.toBe(clientKey("claude-code"));
});
