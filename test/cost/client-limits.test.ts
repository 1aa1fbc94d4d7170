import { describe, expect, test } from "bun:test";
import { answerLimits } from "#cost/client-limits.ts";
import { findProfile } from "#cost/clients.ts";

const none = {
  warnTokens: Infinity,
  cutTokens: Infinity,
  cutCharacters: Infinity,
  spillCharacters: Infinity,
};

describe("answerLimits, Claude Code", () => {
  const usual = { ...none, warnTokens: 10_000, cutTokens: 25_000, spillCharacters: 50_000 };
  const withTool = (spillCharacters: number) => ({
    ...usual,
    cutTokens: Infinity,
    spillCharacters,
  });

  test.each([
    ["without settings", false, {}, usual],
    ["a raised cut", false, { cutTokens: 50_000 }, { ...usual, cutTokens: 50_000 }],
    ["a lowered cut", false, { cutTokens: 500 }, { ...usual, cutTokens: 500 }],
    ["images do not spill", true, {}, { ...usual, spillCharacters: Infinity }],
    ["a tool's own room is not cut", false, { spillCharacters: 200_000 }, withTool(200_000)],
    ["a tool's own room has an end", false, { spillCharacters: 1e9 }, withTool(500_000)],
    [
      "images of a tool with its own room are cut",
      true,
      { spillCharacters: 400_000 },
      { ...usual, spillCharacters: Infinity },
    ],
    ["room that is not a number", false, { spillCharacters: "500000" }, usual],
    ["room below nothing", false, { spillCharacters: -1 }, usual],
  ])("%s", (_name, hasImages, settings, expected) => {
    expect(answerLimits(findProfile("claude-code"), hasImages, settings)).toEqual(expected);
  });
});

test("answerLimits, Gemini CLI: characters alone", () => {
  const profile = findProfile("gemini-cli-mcp-client");
  expect(answerLimits(profile, false)).toEqual({ ...none, cutCharacters: 40_000 });
});

test("answerLimits: an unknown limit is Infinity", () => {
  const settings = { cutTokens: 1, spillCharacters: 1 };
  expect(answerLimits(findProfile("Zed"), false, settings)).toEqual(none);
});
