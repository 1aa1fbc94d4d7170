import { expect, test } from "bun:test";
import { spill } from "#actions/spill.ts";
import { excessOf, textsOf } from "../support/excess.ts";

const result = {
  content: [{ type: "text", text: "x".repeat(3_000) }],
  structuredContent: { rows: 3 },
};

test("spill keeps the whole result and gives a head and the path", () => {
  const kept: string[] = [];
  const keep = (text: string): string => {
    kept.push(text);
    return "/state/spills/s-1.json";
  };
  const answer = spill.result(excessOf(result, 100, { keep }));
  const texts = textsOf(answer.kind === "replace" ? answer.result : undefined);
  expect(kept).toEqual([JSON.stringify(result)]);
  expect(texts.at(-1)).toContain("the whole result is in /state/spills/s-1.json");
});

test("spill refuses what could not be kept, and what it cannot read", () => {
  expect(spill.result(excessOf(result, 100, { keep: () => undefined }))).toEqual({
    kind: "refuse",
  });
  expect(spill.result(excessOf(undefined, 100))).toEqual({ kind: "refuse" });
});
