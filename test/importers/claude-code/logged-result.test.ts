import { describe, expect, test } from "bun:test";
import { loggedResult } from "#importers/claude-code/logged-result.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };
const read = (content: unknown, more: object = {}, isDenied = false) =>
  loggedResult({ content, ...more }, { id: "t", model: null, isDenied }, tools);

test("texts and images are measured, and nothing else of a result", () => {
  const content = [
    { type: "text", text: "é" },
    { type: "image", source: { data: "x" } },
    { type: "tool_reference", tool_name: "y" },
    { type: "text", text: "abcd" },
  ];
  expect(read(content)).toMatchObject({ bytes: 6, tokens: 2, images: 1, visible: "as_logged" });
  expect(read("abc")).toMatchObject({ bytes: 3, tokens: 1, images: 0 });
  expect(read(undefined)).toMatchObject({ bytes: 0, tokens: 0 });
});

describe("visibility", () => {
  test.each([
    ["<persisted-output>\nOutput too large", "spilled"],
    ["Error: result (120,000 characters) exceeds maximum allowed tokens. Output", "spilled"],
    ["a\n[OUTPUT TRUNCATED - exceeded 1000 token limit]", "spilled"],
    ["[Old tool result content cleared]", "unknown"],
    ["an answer", "as_logged"],
  ] as const)("%j is %s", (text, visible) => {
    expect(read(text).visible).toBe(visible);
    expect(read([{ type: "text", text }]).visible).toBe(visible);
  });

  test("a cleared result has no size", () => {
    expect(read("[Old tool result content cleared]")).toMatchObject({ bytes: null, tokens: null });
  });
});

describe("outcome", () => {
  const failed = { is_error: true };

  test("an error is the tool's, unless the call never reached it", () => {
    expect(read("no", failed).outcome).toBe("tool_error");
    expect(read("no", failed, true).outcome).toBe("denied");
    const missing = "<tool_use_error>Error: No such tool available: mcp__a__b</tool_use_error>";
    expect(read(missing, failed).outcome).toBe("unknown_tool");
    expect(read("No such tool available: x", failed).outcome).toBe("unknown_tool");
  });

  test("a text about an error is not one", () => {
    expect(read("No such tool available: x").outcome).toBe("ok");
    expect(read("Error: x", { is_error: false }).outcome).toBe("ok");
  });
});
