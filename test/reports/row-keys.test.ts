import { expect, test } from "bun:test";
import { rowKeys, toolName } from "#reports/row-keys.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { usageFacts } from "../support/usage-facts.ts";

test("a fact has a name on each axis", () => {
  const [fact = expect.unreachable()] = usageFacts([sessionRecord(), callRecord({ seq: 1 })]);
  expect(rowKeys(["day"], fact)).toEqual({ day: "2026-09-01" });
  expect(rowKeys(["week"], fact)).toEqual({ week: "2026-08-31" });
  expect(rowKeys(["month", "model"], fact)).toEqual({ month: "2026-09", model: null });
  expect(rowKeys(["session"], fact)).toEqual({
    session_id: "session",
    began: "2026-09-01T12:00:00.000Z",
    began_local: "2026-09-01 12:00",
    server: "garden",
    client: "host",
  });
  expect(rowKeys(["tool"], fact)).toEqual({
    server: "garden",
    method: "tools/call",
    tool: "search",
  });
  expect(rowKeys(["client", "server"], fact)).toEqual({ client: "host", server: "garden" });
});

test("a method without tools, and definitions, have a name in parentheses", () => {
  expect(toolName("resources/read", null)).toBe("(resources/read)");
  expect(toolName("tools/list", null)).toBe("(definitions)");
});
