import { describe, expect, test } from "bun:test";
import { canonicalizeJson } from "#wire/json.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { lockedTool } from "../../support/locks.ts";
import { meterOptions } from "../../support/play.ts";

const tool = { name: "search", description: "Finds", inputSchema: { type: "object" } };
const call = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "search" } };
const ask = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const answer = (...tools: readonly object[]) => ({ jsonrpc: "2.0", id: 1, result: { tools } });

function locked(sha256 = meterOptions().hash(canonicalizeJson(tool))): GatedSession {
  return new GatedSession([], { lock: { tools: [lockedTool({ name: "search", sha256 })] } });
}

const called = ({ toServer }: GatedSession): unknown[] =>
  toServer
    .map((line) => JSON.parse(line))
    .flatMap(({ method, id }) => (method === "tools/call" ? [id] : []));

describe("an enforced lock", () => {
  test("refuses a tool whose definition changed, before the server sees the call", () => {
    const play = locked("other").client(ask).server(answer(tool)).client(call).end();
    expect(called(play)).toEqual([]);
    expect(play.toClient.at(-1)).toContain("search was not run. Its definition differs");
    expect(play.records.filter(({ type }) => type === "breach")).toMatchObject([
      { budget: "lock", is_enforced: true, did_run: false, tool: "search", request_id: 7 },
    ]);
    expect(play.records.filter(({ type }) => type === "alert")).toMatchObject([
      { alert: "definitions_changed", tool: "search", value: 1 },
    ]);
  });

  test("refuses a tool that the lock does not have, listed or not", () => {
    const other = { ...call, id: 8, params: { name: "unlisted" } };
    const play = new GatedSession([], { lock: { tools: [] } });
    play.client(call).client(ask).server(answer(tool)).client(call, other).end();
    expect(called(play)).toEqual([]);
    expect(play.toClient.at(-1)).toContain("unlisted was not run. It is not in the lock file");
  });

  test("passes a locked tool before there is a list, and after one that has it as agreed", () => {
    const play = locked().client(call).client(ask).server(answer(tool));
    expect(called(play.client({ ...call, id: 8 }).end())).toEqual([7, 8]);
  });

  test("refuses a locked tool that the lists of the session did not contain", () => {
    const play = locked()
      .client(ask)
      .server(answer({ ...tool, name: "other" }))
      .client(call)
      .end();
    expect(called(play)).toEqual([]);
    expect(play.toClient.at(-1)).toContain("could not be compared with the lock file");
  });

  test("follows the newest list: a tool that is as agreed again may be called again", () => {
    const play = locked()
      .client(ask)
      .server(answer({ ...tool, description: "New" }))
      .client(call);
    play
      .client({ ...ask, id: 2 })
      .server({ ...answer(tool), id: 2 })
      .client({ ...call, id: 9 });
    expect(called(play.end())).toEqual([9]);
  });

  test("is about tools: a prompt of the same name passes", () => {
    const play = locked("other").client(ask).server(answer(tool));
    play.client({ ...call, method: "prompts/get" }).end();
    expect(play.toServer).toHaveLength(2);
  });

  test("forwards no list that was not asked for", () => {
    const play = locked().server(answer(tool)).client(ask);
    expect(play.toClient).toEqual([]);
    play.server(answer(tool), answer(tool));
    expect(play.toClient).toHaveLength(1);
  });
});
