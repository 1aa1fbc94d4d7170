import { expect, test } from "bun:test";
import { sessionEvents } from "#importers/goose/session-events.ts";
import { plainTools } from "../../support/logs.ts";

const tools = { ...plainTools, emit: () => {}, countBad: () => {}, countUnknown: () => {} };

test("the sum of a session holds its cached part, and times without a zone are in UTC", () => {
  const { model, events } = sessionEvents(
    {
      created_at: "2026-03-14 23:50:00",
      updated_at: "2026-03-15T00:00:00Z",
      working_dir: "/secret",
      model_config_json: '{"model_name":"m"}',
      accumulated_input_tokens: 100,
      accumulated_cache_read_tokens: 30,
      accumulated_cache_write_tokens: 20,
      accumulated_output_tokens: 7,
    },
    "s",
    tools,
  );
  expect(model).toBe("m");
  expect(events).toMatchObject([
    { kind: "conversation", at: Date.UTC(2026, 2, 14, 23, 50), role: null },
    {
      kind: "session_total",
      at: Date.UTC(2026, 2, 15),
      models: [{ model: "m", usage: { uncached: 50, cacheRead: 30, cacheWrite5m: 20, output: 7 } }],
    },
  ]);
  expect(JSON.stringify(events)).not.toContain("secret");
});

test("a session without a bill has no sum; one with a parent is a sub-agent's", () => {
  const { events } = sessionEvents(
    { parent_session_id: "up", accumulated_input_tokens: "9" },
    "s",
    tools,
  );
  expect(events).toMatchObject([
    { kind: "conversation", role: "subagent", parent: "up", at: null },
  ]);
});
