import { describe, expect, test } from "bun:test";
import { slowCallAlerts } from "#meter/session/alerts.ts";
import type { CallRecord } from "#records/record.ts";
import { callRecord, protocolRecord } from "../../support/made-records.ts";

const alertsOf = (told: Partial<CallRecord>, heldMs = 0, slowMs: number | undefined = 2_000) =>
  slowCallAlerts(callRecord(told), heldMs, slowMs);

describe("slowCallAlerts", () => {
  test("names the tool, its time and the limit", () => {
    expect(alertsOf({ duration_ms: 4_213.4 })).toEqual([
      {
        type: "alert",
        alert: "slow_call",
        tool: "search",
        budget: null,
        limit: 2_000,
        value: 4_213,
        detail: "took 4.21 s; --slow is 2 s",
      },
    ]);
  });

  test.each<[name: string, told: Partial<CallRecord>, count: number]>([
    ["as long as the limit", { duration_ms: 2_000 }, 0],
    ["a millisecond longer", { duration_ms: 2_001 }, 1],
    ["that failed", { duration_ms: 3_000, outcome: "tool_error" }, 1],
    ["that its client gave up", { duration_ms: 3_000, outcome: "cancelled" }, 1],
    ["that was never answered", { duration_ms: 3_000, outcome: "abandoned" }, 1],
    ["that was refused", { duration_ms: 3_000, outcome: "refused" }, 0],
    ["of a resource", { duration_ms: 3_000, method: "resources/read", tool: null }, 1],
    ["that asked a model", { duration_ms: 3_000, method: "sampling/createMessage" }, 0],
  ])("of a call %s", (_name, told, count) => {
    expect(alertsOf(told)).toHaveLength(count);
  });

  test("leaves out the time for which the request was held", () => {
    expect(alertsOf({ duration_ms: 50_000 }, 48_000)).toEqual([]);
    expect(alertsOf({ duration_ms: 50_000 }, 47_000)).toMatchObject([{ value: 3_000 }]);
  });

  test("is silent without a limit, and about traffic that is not a call", () => {
    expect(slowCallAlerts(callRecord({ duration_ms: 1e6 }), 0, undefined)).toEqual([]);
    expect(slowCallAlerts(protocolRecord({ duration_ms: 1e6 }), 0, 1)).toEqual([]);
  });
});
