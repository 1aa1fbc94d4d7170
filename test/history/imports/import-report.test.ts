import { describe, expect, test } from "bun:test";
import { noFileCounts, mergeLogs } from "#history/imports/merge-logs.ts";
import { reportClient } from "#history/imports/import-report.ts";
import type { LogEvent } from "#history/imports/log-event.ts";
import { always, requestLine, resultLine, useLine } from "../../support/logs.ts";

const day = Date.parse("2026-03-14T23:59:59.999Z");
const keys = (message: string) => ({ message, request: null, line: null });

const events: readonly LogEvent[] = [
  requestLine({ at: day, keys: keys("a") }),
  requestLine({ at: day + 1, keys: keys("b"), model: null }),
  requestLine({ at: null, keys: keys("c"), conversation: "other" }),
  useLine({ at: day }),
  resultLine(),
  {
    kind: "tool_end",
    at: day,
    conversation: "one",
    id: "call",
    name: { server: "docs", tool: "search" },
    method: "tools/call",
    outcome: "ok",
    durationMs: 12,
    argumentBytes: 2,
    argumentTokens: null,
    argumentsHash: null,
  },
];

const logs = mergeLogs([{ events, counts: noFileCounts }]);
const report = (range = always) => reportClient("x", logs, { range, knownServers: ["docs"] });

describe("of all time", () => {
  test("requests count on the UTC day in which they began, and models without a name are unknown", () => {
    const { usage_by_utc_day: days, usage_by_model: models } = report();
    expect(Object.keys(days)).toEqual(["2026-03-14", "2026-03-15", "unknown"]);
    expect(Object.keys(models)).toEqual(["model", "unknown"]);
  });

  test("calls are counted by server, tool and outcome", () => {
    expect(report()).toMatchObject({
      sessions: 2,
      mcp_calls: 1,
      mcp_by_server: { docs: { search: { calls: 1, ok: 1 } } },
      rejected_calls: { denied: 0, unknown_tool: 0 },
    });
    expect(report().calls).toEqual([
      {
        id: "call",
        server: "docs",
        tool: "search",
        method: "tools/call",
        outcome: "ok",
        arguments_bytes: 2,
        visible_bytes: 8,
        images: 0,
        visible: "as logged",
        ts: "2026-03-14T23:59:59.999Z",
        agent: null,
        duration_ms: 12,
      },
    ]);
  });
});

test("a range leaves out other times, and entries without a time", () => {
  const { usage, sessions, mcp_calls: calls } = report({ fromMs: day + 1, toMs: day + 2 });
  expect([usage.requests, sessions, calls]).toEqual([1, 1, 0]);
});
