import { describe, expect, test } from "bun:test";
import { makeAlertKey, makeAlertMessage } from "#state/alerting/alert-message.ts";
import type { AlertKind } from "#records/record.ts";
import {
  alertRecord,
  breachRecord,
  callRecord,
  sessionRecord,
} from "../../support/made-records.ts";
import { alertSchema, madeAlert } from "../../support/alerts.ts";

const isValid = alertSchema();

const kinds: readonly AlertKind[] = [
  "budget_warning",
  "heavy_call",
  "repeated_call",
  "would_truncate",
  "would_spill",
  "slow_call",
  "unknown_tool",
  "definitions_changed",
];

describe("the message of a record", () => {
  for (const alert of kinds) {
    test(`${alert} fits the published schema`, () => {
      const message = makeAlertMessage(alertRecord({ alert, value: 7_000 }), "host");
      expect([isValid(message), isValid.errors]).toEqual([true, null]);
      expect(message).toMatchObject({ alert, value: 7_000, count: 1 });
    });
  }

  test("an alert of a budget per user names the user", () => {
    const warning = { alert: "budget_warning", budget: "5/day/user", limit: 5, value: 4 } as const;
    const record = alertRecord({ ...warning, user: "ann" });
    const message = makeAlertMessage(record, "host");
    expect(message).toMatchObject({ user: "ann" });
    expect(message?.message).toContain("budget 5/day/user of ann: ");
  });

  test("an alert has its facts and one sentence", () => {
    expect(makeAlertMessage(alertRecord(), "host")).toEqual(madeAlert());
  });

  test("a breach is an exceeded budget, with the call in its value", () => {
    const breach = breachRecord({ spent: 1_000, tokens: 1_500, limit: 2_000, per: "session" });
    const message = makeAlertMessage(breach, null);
    expect([isValid(message), isValid.errors]).toEqual([true, null]);
    expect(message).toMatchObject({
      alert: "budget_exceeded",
      message:
        "mcp-meter: garden, search, budget search=2000: 2,500 of 2,000 tokens per session; the answer was withheld",
      value: 2_500,
      limit: 2_000,
      client: null,
    });
  });

  test("a warning about a budget that is exceeded already is left out", () => {
    const warning = { alert: "budget_warning", budget: "5", limit: 5 } as const;
    expect(makeAlertMessage(alertRecord({ ...warning, value: 5 }), null)).toBeDefined();
    expect(makeAlertMessage(alertRecord({ ...warning, value: 6 }), null)).toBeUndefined();
  });

  test("other records call for no alert", () => {
    expect(makeAlertMessage(callRecord(), null)).toBeUndefined();
    expect(makeAlertMessage(sessionRecord(), null)).toBeUndefined();
  });

  test("names are bounded, and safe to read", () => {
    const tool = `\u001b[2J\u202e<!channel>\n${"x".repeat(5_000)}`;
    const record = alertRecord({ tool, server: "a\u0000b", detail: `\n${"y".repeat(5_000)}` });
    const message = makeAlertMessage(record, "\u2066host");
    expect(message).toMatchObject({ server: "a\\u0000b", client: "\\u2066host" });
    expect(message?.tool).toStartWith("\\u001b[2J\\u202e<!channel>\\u000axxx");
    expect(message?.tool).toHaveLength(256);
    expect(message?.detail).toHaveLength(600);
    expect(JSON.stringify(message).length).toBeLessThan(4_096);
  });
});

test("alerts of one kind about the same budget and tool are equal", () => {
  const key = makeAlertKey(madeAlert());
  expect(makeAlertKey(madeAlert({ value: 1, ts: "later", server: "other" }))).toBe(key);
  expect(makeAlertKey(madeAlert({ tool: null }))).not.toBe(key);
  expect(makeAlertKey(madeAlert({ budget: "5" }))).not.toBe(key);
  expect(makeAlertKey(madeAlert({ alert: "slow_call" }))).not.toBe(key);
});
