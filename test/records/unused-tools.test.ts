import { describe, expect, test } from "bun:test";
import { sumUnusedTools } from "#records/definition-summary.ts";
import { definitionsRecord, toolDefinition } from "../support/made-records.ts";

const deferred = definitionsRecord({
  is_deferred: true,
  tools: [
    { ...toolDefinition("search", 100), context_tokens: 104, resident_tokens: 4 },
    { ...toolDefinition("fetch", 60), resident_tokens: 5 },
    toolDefinition("older", 30),
  ],
});

test("an unused tool takes its name where definitions are deferred", () => {
  expect(sumUnusedTools([deferred], new Set(["garden\nsearch"]))).toMatchObject({
    unused: 2,
    tokens: 5 + 1,
  });
});

describe("unusedTools", () => {
  test("names what was listed and not called, on its own server", () => {
    const first = definitionsRecord();
    const second = definitionsRecord({ server: "other" });
    const called = new Set(["garden\nsearch", "other\nfetch", "garden\nnever listed"]);
    expect(sumUnusedTools([first, second], called)).toEqual({
      unused: 2,
      listed: 4,
      tokens: 160,
      names: ["fetch", "search"],
    });
  });

  test("no list, nothing unused", () => {
    expect(sumUnusedTools([], new Set())).toBeNull();
  });
});
