// A lock that is enforced: tools that are not as agreed are not called.
import { describe, expect, test } from "bun:test";
import { Enforced } from "../support/enforced.ts";
import { lockedTool } from "../support/locks.ts";

const tool = { name: "search", description: "Finds", inputSchema: { type: "object" } };
const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "search" } };
const list = (...tools: readonly object[]): readonly [object, object] => [
  { jsonrpc: "2.0", id: 1, method: "tools/list" },
  { jsonrpc: "2.0", id: 1, result: { tools } },
];

describe("an enforced lock", () => {
  test("refuses a tool whose definition changed, before the server sees the call", () => {
    const play = new Enforced([], { lock: { tools: [lockedTool({ name: "search" })] } });
    const [ask, answer] = list(tool);
    play.client(ask).server(answer).client(call).end();
    expect(play.toServer).toHaveLength(1);
    expect(play.toClient.at(-1)).toContain("search was not run. Its definition differs");
    expect(play.records.filter(({ type }) => type === "breach")).toMatchObject([
      { budget: "lock", is_enforced: true, did_run: false, tool: "search", request_id: 7 },
    ]);
    expect(play.records.filter(({ type }) => type === "alert")).toMatchObject([
      { alert: "definitions_changed", tool: "search", value: 1 },
    ]);
  });

  test("refuses a tool that the lock has not, and passes what the list does not name", () => {
    const play = new Enforced([], { lock: { tools: [] } });
    const [ask, answer] = list(tool);
    const other = { ...call, id: 8, params: { name: "unlisted" } };
    play.client(ask).server(answer).client(call, other).end();
    expect(play.toServer.map((line) => JSON.parse(line).id)).toEqual([1, 8]);
  });

  test("passes everything before there is a list, and after one that is as agreed", () => {
    const play = new Enforced([], { lock: { tools: [lockedTool({ name: "search" })] } });
    play.client(call).end();
    expect(play.toServer).toHaveLength(1);
  });

  test("the newest list counts: what is as agreed again may be called again", () => {
    const play = new Enforced([], { lock: { tools: [] } });
    const [ask, answer] = list(tool);
    const [askAgain, none] = list();
    play.client(ask).server(answer).client(call);
    play
      .client(askAgain)
      .server(none)
      .client({ ...call, id: 9 })
      .end();
    expect(play.toServer.map((line) => JSON.parse(line).id)).toEqual([1, 1, 9]);
  });
});
