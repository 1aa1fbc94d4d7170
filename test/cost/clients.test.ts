import { describe, expect, test } from "bun:test";
import { findProfile, interference, answerLimits } from "#cost/clients.ts";

const names: readonly (readonly [string | undefined, string])[] = [
  ["claude-code", "structured-first, images, saved, deferred"],
  ["Claude-Code", "structured-first, images, saved, deferred"],
  ["claude-code/2.1", "structured-first, images, saved, deferred"],
  ["codex-mcp-client", "structured-first, nothing, json"],
  ["Codex", "structured-first, nothing, json"],
  ["Visual Studio Code", "structured-first, images, saved"],
  ["Visual Studio Code - Insiders", "structured-first, images, saved"],
  ["Visual-Studio-Code", "structured-first, images, saved"],
  ["github-copilot-developer", "structured-first, images, saved"],
  ["opencode", "structured-first, nothing, saved"],
  ["gemini-cli-mcp-client", "content-first, content-instead, media"],
  ["gemini-cli-mcp-client-search", "content-first, content-instead, media"],
  ["cursor-vscode", "content-first, content-instead, saved, deferred"],
  ["JetBrains-IU-copilot-intellij", "both, everything, saved"],
  ["JetBrains-WS/copilot-intellij", "both, everything, saved"],
  ["JetBrains-IU", "content-first, content-instead, saved"],
  ["claude-ai", "content-first, content-instead, saved"],
  ["Kimi", "content-first, content-instead, saved"],
  ["Zed", "content-first, content-instead, saved"],
  ["my-claude-code", "content-first, content-instead, saved"],
  ["", "content-first, content-instead, saved"],
  [undefined, "content-first, content-instead, saved"],
];

test.each(names)("findProfile: %s is %s", (name, expected) => {
  const { id, besideStructured, resources, defersDefinitions } = findProfile(name);
  const deferred = defersDefinitions ? ", deferred" : "";
  expect(`${id}, ${besideStructured}, ${resources}${deferred}`).toBe(expected);
});

describe("interference", () => {
  const claude = findProfile("claude-code");
  const nothing = { wouldWarn: false, wouldTruncate: false, wouldSpill: false };
  const small = { tokens: 100, characters: 400, hasImages: false };

  test.each([
    ["at the warning", { tokens: 10_000 }, {}, {}],
    ["one past the warning", { tokens: 10_001 }, {}, { wouldWarn: true }],
    ["at the cut", { tokens: 25_000 }, {}, { wouldWarn: true }],
    ["one past the cut", { tokens: 25_001 }, {}, { wouldWarn: true, wouldTruncate: true }],
    ["within a raised cut", { tokens: 50_000 }, { cutTokens: 50_000 }, { wouldWarn: true }],
    ["past a lowered cut", { tokens: 501 }, { cutTokens: 500 }, { wouldTruncate: true }],
    ["at the spill", { characters: 50_000 }, {}, {}],
    ["one past the spill", { characters: 50_001 }, {}, { wouldSpill: true }],
    ["images do not spill", { characters: 50_001, hasImages: true }, {}, {}],
    ["a tool's own room", { characters: 200_000 }, { spillCharacters: 200_000 }, {}],
    [
      "one past a tool's own room",
      { characters: 200_001 },
      { spillCharacters: 200_000 },
      { wouldSpill: true },
    ],
    ["past all room", { characters: 500_001 }, { spillCharacters: 1e9 }, { wouldSpill: true }],
    [
      "a tool's own room is not cut",
      { tokens: 90_000 },
      { spillCharacters: 400_000 },
      { wouldWarn: true },
    ],
    [
      "its images are",
      { tokens: 90_000, hasImages: true },
      { spillCharacters: 400_000 },
      { wouldWarn: true, wouldTruncate: true },
    ],
    [
      "room that is no number",
      { characters: 50_001 },
      { spillCharacters: "500000" },
      { wouldSpill: true },
    ],
    ["room below nothing", { characters: 50_001 }, { spillCharacters: -1 }, { wouldSpill: true }],
  ])("Claude Code: %s", (_name, answer, settings, expected) => {
    expect(interference(claude, { ...small, ...answer }, settings)).toEqual({
      ...nothing,
      ...expected,
    });
  });

  test("Gemini CLI: characters alone", () => {
    const gemini = findProfile("gemini-cli-mcp-client");
    const long = { tokens: 90_000, characters: 40_000, hasImages: false };
    expect(interference(gemini, long)).toEqual(nothing);
    expect(interference(gemini, { ...long, characters: 40_001 })).toEqual({
      ...nothing,
      wouldTruncate: true,
    });
  });

  test("any other client: nothing known", () => {
    const vast = { tokens: 1e9, characters: 1e9, hasImages: false };
    expect(interference(findProfile("Zed"), vast, { cutTokens: 1, spillCharacters: 1 })).toEqual(
      nothing,
    );
  });
});

test("answerLimits: what is not known is without end", () => {
  expect(answerLimits(findProfile("Zed"), false, { cutTokens: 1 })).toEqual({
    warnTokens: Infinity,
    cutTokens: Infinity,
    cutCharacters: Infinity,
    spillCharacters: Infinity,
  });
});
