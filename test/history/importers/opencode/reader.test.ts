import { expect, test } from "bun:test";
import { OpenCodeReader } from "#history/importers/opencode.ts";
import { eventsOf } from "../../../support/logs.ts";

const read = (path: string, lines: readonly Record<string, unknown>[]) =>
  eventsOf((tools) => new OpenCodeReader(path, tools), lines);

const message = { role: "assistant", modelID: "m", tokens: { input: 1, output: 1, total: 2 } };

test("rows of a database hold their content as JSON text", () => {
  const ids = { id: "msg", session_id: "ses" };
  const { events, bad } = read("opencode.db", [
    { table: "message", row: { ...ids, data: JSON.stringify(message) } },
    {
      table: "part",
      row: {
        id: "p",
        message_id: "msg",
        session_id: "ses",
        data: '{"type":"tool","callID":"c","tool":"docs_x","state":{}}',
      },
    },
    { table: "message", row: { ...ids, data: "{" } },
    { table: "message", row: { ...ids, data: null } },
    { table: "part", row: { data: "[]" } },
    { table: "part" },
  ]);
  expect(events).toMatchObject([
    { kind: "request", keys: { message: "msg" } },
    { kind: "tool_use", id: "c", model: "m", message: "msg" },
  ]);
  expect(bad).toBe(4);
});

test("an older file has its ids as members, or in its path", () => {
  const named = { ...message, id: "msg_a", sessionID: "ses_a" };
  const path = "storage/message/ses_b/msg_b.json";
  expect(read(path, [named]).events[0]).toMatchObject({
    conversation: "ses_a",
    keys: { message: "msg_a" },
  });
  expect(read(path, [message]).events[0]).toMatchObject({
    conversation: "ses_b",
    keys: { message: "msg_b" },
  });
  const step = { type: "step-finish", tokens: { input: 1 } };
  expect(read("storage/part/msg_b/prt.json", [step]).events[0]).toMatchObject({
    keys: { message: "msg_b", request: "prt" },
  });
  const session = { id: "ses", parentID: "up" };
  expect(read("storage/session/p/ses.json", [session]).events[0]).toMatchObject({ parent: "up" });
});

test("messages of a user are no requests", () => {
  const { events } = read("storage/message/s/m.json", [{ ...message, role: "user" }]);
  expect(events).toEqual([]);
});
