import { expect, test } from "bun:test";
import { daysText, periodText } from "#renderers/documents/usage-period.ts";

test.each([
  [null, null, "all days, UTC"],
  [null, "2026-11-22", "all days to 2026-11-22, UTC"],
  ["2026-11-01", null, "2026-11-01 until now, UTC"],
  ["2026-11-01", "2026-11-01", "2026-11-01, UTC"],
  ["2026-11-01", "2026-11-22 12:00", "2026-11-01 to 2026-11-22 12:00, UTC"],
])("a period from %s to %s is %s", (first, last, text) => {
  expect(periodText({ first, last, timezone: "UTC" })).toBe(text);
  expect(`${daysText({ first, last })}, UTC`).toBe(text);
});
