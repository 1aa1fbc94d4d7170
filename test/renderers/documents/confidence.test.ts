import { expect, test } from "bun:test";
import { confidenceDots, countedBy } from "#renderers/documents/confidence.ts";

test("confidenceDots fills a dot per step", () => {
  const { high, medium, low } = confidenceDots;
  expect([high, medium, low]).toEqual(["●●●", "●●○", "●○○"]);
});

test("countedBy explains the mark only where numbers carry it", () => {
  const how = { id: "words", confidence: "low", error: "a rule of thumb" } as const;
  expect(countedBy(how, false)).toEqual({ label: "counted by", text: "words ●○○ a rule of thumb" });
  expect(countedBy(how, true).text).toBe("words ●○○ a rule of thumb; ~ marks estimates");
});
