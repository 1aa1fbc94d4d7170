import { expect, test } from "bun:test";
import { GooseReader } from "#importers/goose/reader.ts";
import { eventsOf } from "../../support/logs.ts";

const read = (lines: readonly Record<string, unknown>[], path = "s.jsonl") =>
  eventsOf((tools) => new GooseReader({ path }, tools), lines);

const content = [{ type: "toolRequest", id: "r", toolCall: { value: { name: "docs__x" } } }];

test("an older file is a session by its name, with times in seconds or milliseconds", () => {
  const at = [5, 1_773_532_200_000, "x"].map(
    (created) => read([{ role: "user", created, content }]).events[0]?.at,
  );
  expect(at).toEqual([5000, 1_773_532_200_000, null]);
  expect(read([{ content }]).events[0]).toMatchObject({ conversation: "s", id: "s/r" });
});

test("rows that are damaged are counted, and lines of another kind too", () => {
  const { bad, unknown } = read(
    [
      { table: "messages", row: { session_id: "s", content_json: "{" } },
      { table: "messages", row: { session_id: "s", content_json: null } },
      { table: "messages", row: { content_json: "[]" } },
      { table: "sessions", row: {} },
      { table: "sessions" },
      { hello: "world" },
    ],
    "sessions.db",
  );
  expect([bad, unknown]).toEqual([4, 2]);
});
