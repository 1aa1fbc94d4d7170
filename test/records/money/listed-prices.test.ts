import { expect, test } from "bun:test";
import packageJson from "../../../package.json" with { type: "json" };
import { nameCharactersMax } from "#kit/limits.ts";
import { findListedPrices, listedPricesOrigin } from "#records/money/listed-prices.ts";

const day = new Date("2026-11-22T00:00:00Z");

test.each([
  [
    "claude-opus-4-8",
    { input: 5, output: 25, cacheRead: 0.5, cacheWrite5m: 6.25, cacheWrite1h: 10 },
  ],
  // Requests above 200,000 tokens cost more, but a call's request is unknown.
  [
    "claude-sonnet-4-5-20250929",
    { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 },
  ],
  // What a maker does not price costs as much as input.
  [
    "gpt-5-codex",
    { input: 1.25, output: 10, cacheRead: 0.125, cacheWrite5m: 1.25, cacheWrite1h: 1.25 },
  ],
] as const)("%s: the maker's list price in dollars per million tokens", (model, prices) => {
  expect(findListedPrices(model, day)).toEqual(prices);
});

test("prices are those of the day", () => {
  const days = ["2025-06-09", "2025-06-11"].map((date) => new Date(date));
  expect(days.map((at) => findListedPrices("o3", at)?.input)).toEqual([10, 2]);
});

test.each(["opus", "glm-4.6", "", "no such model", "gpt-4o".padEnd(nameCharactersMax + 1, "x")])(
  "%p has no price, and none is guessed",
  (model) => {
    expect(findListedPrices(model, day)).toBeUndefined();
  },
);

test("the source names the pinned version", () => {
  const version = packageJson.dependencies["@pydantic/genai-prices"];
  expect(listedPricesOrigin).toMatch(new RegExp(`^genai-prices ${version}, \\d{4}-\\d\\d-\\d\\d$`));
});
