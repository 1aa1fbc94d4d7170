import { expect, test } from "bun:test";
import { parseAge } from "#text/age.ts";

test("parseAge reads hours, days and weeks", () => {
  expect(["24h", "90d", "4w"].map(parseAge)).toEqual([86_400_000, 7_776_000_000, 2_419_200_000]);
  for (const text of ["", "0d", "d", "90", "1.5d", "-1d", "1y", "1d ", "9999999d"]) {
    expect(parseAge(text)).toBeUndefined();
  }
});
