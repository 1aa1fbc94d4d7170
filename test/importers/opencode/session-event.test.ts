import { expect, test } from "bun:test";
import { sessionEvent } from "#importers/opencode/session-event.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };

test("a session with a parent is a sub-agent's; its folder is a hash", () => {
  const row = { id: "ses", parent_id: "up", version: "1.18.33", directory: "/secret" };
  const event = sessionEvent(row, tools);
  expect(event).toMatchObject({ role: "subagent", parent: "up", clientVersion: "1.18.33" });
  expect(JSON.stringify(event)).not.toContain("secret");
  expect(sessionEvent({ id: "ses", parent_id: null }, tools).role).toBeNull();
});
