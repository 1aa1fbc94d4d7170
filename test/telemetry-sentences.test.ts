import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";

test("a failure of telemetry says that everything else continues", () => {
  expect(sentences.telemetryFailed("HTTP 404")).toBe(
    "Cannot send telemetry: HTTP 404; traffic and records continue",
  );
});
