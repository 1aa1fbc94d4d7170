import { expect, test } from "bun:test";
import { parseAge } from "#text/age.ts";

test("parseAge reads seconds to weeks", () => {
  expect(["30s", "2m", "24h", "90d", "4w", "0d"].map(parseAge)).toEqual([
    30_000, 120_000, 86_400_000, 7_776_000_000, 2_419_200_000, 0,
  ]);
  for (const text of ["", "d", "90", "1.5d", "-1d", "1y", "1d ", "9999999d"]) {
    expect(parseAge(text)).toBeUndefined();
  }
});
