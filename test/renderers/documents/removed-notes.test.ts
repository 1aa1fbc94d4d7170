import { expect, test } from "bun:test";
import { removedNotes } from "#renderers/documents/removed-notes.ts";

test("says which days come from totals, and how many cannot", () => {
  expect(removedNotes(undefined)).toEqual([]);
  const counted = { first: "2026-09-01", last: "2026-09-03", sessions: 2, days_left_out: 0 };
  const text =
    "from daily totals of removed records: 2026-09-01 to 2026-09-03, 2 sessions, each counted where it began";
  expect(removedNotes(counted)).toEqual([{ label: "removed", text }]);
  const leftOut = { first: null, last: null, sessions: 0, days_left_out: 1 };
  expect(removedNotes(leftOut)).toEqual([
    {
      label: "removed",
      text: "without 1 day of removed records, which have no sessions and no times of the day",
    },
  ]);
  expect(removedNotes({ ...counted, days_left_out: 1 })).toHaveLength(2);
});
