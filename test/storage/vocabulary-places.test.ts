import { expect, test } from "bun:test";
import { findPlace, writePlaces } from "#storage/vocabulary-places.ts";

const encodings = ["o200k_base", "cl100k_base"] as const;

test("a text with places is as long as one without, and has each place", () => {
  const places = {
    o200k_base: { offset: 4_294_967_296, length: 1 },
    cl100k_base: { offset: 12, length: 4_097_960 },
  };
  const filled = writePlaces(encodings, (encoding) => places[encoding]);
  expect(filled).toHaveLength(writePlaces(encodings).length);
  for (const encoding of encodings) expect(findPlace(filled, encoding)).toEqual(places[encoding]);
});

test("a text without places has none, and neither has a damaged one", () => {
  for (const text of [
    writePlaces(encodings),
    "",
    "o200k_base=",
    "o200k_base=x+y",
    "o200k_base=1",
  ]) {
    expect(findPlace(text, "o200k_base")).toBeUndefined();
  }
});
