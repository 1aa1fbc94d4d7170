import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";

test("a failure of telemetry says that everything else continues", () => {
  expect(sentences.telemetryFailed("HTTP 404")).toBe(
    "Cannot send telemetry: HTTP 404; traffic and records continue",
  );
});

test("days that were sent, and days that were not", () => {
  expect(sentences.daysSent(1, 1)).toBe("Sent 1 value of 1 day");
  expect(sentences.daysSent(1200, 30)).toBe("Sent 1,200 values of 30 days");
  expect(sentences.daysUnsent("HTTP 404")).toBe("Cannot send the days: HTTP 404");
  expect(sentences.noDaysToSend()).toContain("No whole days");
});
