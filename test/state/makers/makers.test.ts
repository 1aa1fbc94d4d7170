import { describe, expect, test } from "bun:test";
import { findMaker, makers } from "#commands/exact-option.ts";

const models: Readonly<Record<string, string>> = {
  anthropic: "claude-opus-5",
  google: "gemini-3-pro",
};

describe.each(makers.map((maker) => [maker.id, maker] as const))("%s", (id, maker) => {
  const model = models[id] ?? "";

  test("is found by a model of its own, and by that of no other", () => {
    expect(makers.filter((candidate) => candidate.servesModel(model))).toEqual([maker]);
    expect(findMaker(model)).toBe(maker);
  });

  test("sends the key in a header alone, over https", () => {
    const { path, headers, body } = maker.request(model, { text: "a" }, "KEY");
    expect(Object.values(headers)).toContain("KEY");
    expect(`${path}${JSON.stringify(body)}`).not.toContain("KEY");
    expect(new URL(maker.url).protocol).toBe("https:");
  });

  test("an answer of another kind has no tokens", () => {
    for (const answer of [null, [], "7", 7, {}, { error: { message: "x" } }]) {
      expect(maker.parseTokens(answer)).toBeUndefined();
    }
  });
});

test("a model of another maker has none", () => {
  for (const model of ["gpt-5", "", "opus", "x-claude-5"]) expect(findMaker(model)).toBeUndefined();
});
