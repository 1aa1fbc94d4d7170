import { expect, test } from "bun:test";
import { addFileCounts, noFileCounts } from "#imports/file-counts.ts";

test("counts add up", () => {
  const counts = { bad: 1, torn: 2, unknown: 3 };
  expect(addFileCounts(counts, counts)).toEqual({ bad: 2, torn: 4, unknown: 6 });
  expect(addFileCounts(noFileCounts, counts)).toEqual(counts);
});
