import { expect, test } from "bun:test";
import { nameOfKey, rowKey, SessionUsage, toolOfKey } from "#reports/advice/session-usage.ts";
import { RepeatRoom } from "#reports/repeat-table.ts";
import { twoTools } from "../../support/made-advice.ts";
import { sessionRecord } from "../../support/made-records.ts";

test("a tool and a method have rows of their own, whatever a tool is called", () => {
  const keys = [
    rowKey("tools/call", "search"),
    rowKey("resources/read", null),
    rowKey("prompts/get", "search"),
    rowKey("tools/call", "(resources/read)"),
  ];
  expect(new Set(keys).size).toBe(4);
  expect(keys.map(nameOfKey)).toEqual([
    "search",
    "(resources/read)",
    "(prompts/get)",
    "(resources/read)",
  ]);
  expect(keys.map(toolOfKey)).toEqual(["search", undefined, undefined, "(resources/read)"]);
});

test("the newest session record counts, whichever comes first", () => {
  for (const order of [1, -1]) {
    const session = new SessionUsage(new RepeatRoom(), new RepeatRoom());
    expect([session.client, session.estimation]).toEqual([null, null]);
    const records = [
      sessionRecord({ seq: 0, client_name: null }),
      sessionRecord({ seq: 5, client_name: "late" }),
    ];
    for (const record of order === 1 ? records : records.toReversed()) session.addSession(record);
    expect([session.client, session.estimation?.estimator]).toEqual(["late", "chars3"]);
  }
});

test("a server has one part, with its lists", () => {
  const session = new SessionUsage(new RepeatRoom(), new RepeatRoom());
  const dated = { ts: "", ms: 1, list: twoTools() };
  session.addList("garden", dated);
  expect(session.partOf("garden")).toBe(session.partOf("garden"));
  expect(session.partOf("garden").lists.newest).toBe(dated);
  expect([...session.servers.keys()]).toEqual(["garden"]);
});
