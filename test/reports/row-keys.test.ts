import { expect, test } from "bun:test";
import { axes } from "#reports/axes.ts";
import { rowId, rowKeys, toolName } from "#reports/row-keys.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { usageFacts } from "../support/usage-facts.ts";

test("a fact has a name on each axis", () => {
  const [fact = expect.unreachable()] = usageFacts([sessionRecord(), callRecord({ seq: 1 })]);
  expect(rowKeys("day", fact)).toEqual({ day: "2026-09-01" });
  expect(rowKeys("week", fact)).toEqual({ week: "2026-08-31" });
  expect(rowKeys("month", fact)).toEqual({ month: "2026-09" });
  expect(rowKeys("model", fact)).toEqual({ model: null });
  expect(rowKeys("session", fact)).toEqual({
    session_id: "session",
    began: "2026-09-01T12:00:00.000Z",
    began_local: "2026-09-01 12:00",
    server: "garden",
    client: "host",
  });
  expect(rowKeys("tool", fact)).toEqual({
    server: "garden",
    method: "tools/call",
    tool: "search",
  });
  expect(rowKeys("client", fact)).toEqual({ client: "host" });
  expect(rowKeys("machine", fact)).toEqual({ machine: null });
  const [own = expect.unreachable()] = usageFacts([
    sessionRecord({ machine: "m1" }),
    callRecord({ seq: 1 }),
  ]);
  expect(rowKeys("machine", own)).toEqual({ machine: "m1" });
  expect(rowKeys("server", fact)).toEqual({ server: "garden" });
});

test("facts have equal ids where they have equal names, whatever the names are", () => {
  const servers = ["a", "a 1", "1 1 a", "tools/call", ""];
  const tools = ["b", "ab", "", null, "(tools/call)"];
  const facts = ["one", "two"].flatMap((name) =>
    servers.flatMap((server, at) => {
      const common = { session_id: `${name}${at}`, server };
      const calls = tools.map((tool, seq) => callRecord({ ...common, tool, seq }));
      return usageFacts([sessionRecord(common), ...calls]);
    }),
  );
  for (const axis of axes) {
    const pairs = facts.map((fact) => [rowId(axis, fact), JSON.stringify(rowKeys(axis, fact))]);
    const [ids, keys] = [0, 1].map((at) => new Set(pairs.map((pair) => pair[at])).size);
    expect([axis, ids]).toEqual([axis, keys]);
    expect(new Set(pairs.map((pair) => JSON.stringify(pair))).size).toBe(ids ?? 0);
  }
});

test("a method without tools, and definitions, have a name in parentheses", () => {
  expect(toolName("resources/read", null)).toBe("(resources/read)");
  expect(toolName("tools/list", null)).toBe("(definitions)");
});
