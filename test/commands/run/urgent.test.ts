import { describe, expect, test } from "bun:test";
import { UrgentNotices, budgetLinesToldMax } from "#commands/run/session.ts";
import type { MeterRecord } from "#records/record.ts";
import { alertRecord, breachRecord, callRecord } from "../../support/made-records.ts";

function told(...records: readonly MeterRecord[]): string[] {
  const sentences: string[] = [];
  const urgent = new UrgentNotices((sentence) => sentences.push(sentence));
  for (const record of records) urgent.take(record);
  return sentences;
}

const passed = { action: "warn", is_enforced: false } as const;
const nearly = {
  alert: "budget_warning",
  budget: "100k/session",
  tool: null,
  limit: 100_000,
  value: 84_000,
  detail: "84% of 100k/session spent",
} as const;

describe("UrgentNotices", () => {
  test("names a call that passed beyond a budget, and includes it in the sum", () => {
    const perCall = { budget: "search=2000:warn", spent: 0, tokens: 2_500, ...passed };
    const perSession = { budget: "9/session:warn", limit: 9, per: "session", spent: 7, tokens: 5 };
    const calls = {
      budget: "2calls/day:warn",
      limit: 2,
      unit: "calls",
      per: "day",
      spent: 2,
    } as const;
    expect(
      told(
        breachRecord(perCall),
        breachRecord({ ...perSession, ...passed, tool: null }),
        breachRecord({ ...calls, ...passed }),
      ),
    ).toEqual([
      'Budget "search=2000:warn" is exceeded by search: 2,500 of 2,000 tokens per call; the call passed',
      'Budget "9/session:warn" is exceeded by a call: 12 of 9 tokens per session; the call passed',
      'Budget "2calls/day:warn" is exceeded by search: 3 of 2 calls per day; the call passed',
    ]);
  });

  test("is silent about a call that was refused: its model reads why", () => {
    expect(told(breachRecord(), callRecord())).toEqual([]);
  });

  test("warns of a budget that is nearly or just spent; an exceeded one has another sentence", () => {
    expect(told(alertRecord(nearly))).toEqual(['Budget "100k/session" is 84% spent']);
    expect(told(alertRecord({ ...nearly, value: 100_000 }))).toEqual([
      'Budget "100k/session" is 100% spent',
    ]);
    expect(told(alertRecord({ ...nearly, value: 100_001 }))).toEqual([]);
    expect(told(alertRecord({ ...nearly, budget: "100k/call:truncate" }))).toEqual([
      'A call used 84% of the budget "100k/call:truncate"',
    ]);
  });

  test("names the tool of the counter if the budget does not", () => {
    const spec = "*=300:truncate";
    const ofTool = { ...nearly, budget: "search=300", tool: "search" };
    expect(
      told(
        ...["a", "b", "\u202e"].map((tool) => alertRecord({ ...nearly, budget: spec, tool })),
        alertRecord(ofTool),
      ),
    ).toEqual([
      'A call to a used 84% of the budget "*=300:truncate"',
      'A call to b used 84% of the budget "*=300:truncate"',
      'A call to \\u202e used 84% of the budget "*=300:truncate"',
      'A call used 84% of the budget "search=300"',
    ]);
  });

  test("names changed tools and budgets without a tool, and no other alert", () => {
    expect(
      told(
        alertRecord({ alert: "definitions_changed", detail: "it has changed" }),
        alertRecord({ alert: "unknown_tool", detail: "Budget x matches nothing" }),
        alertRecord({ alert: "heavy_call" }),
        alertRecord({ alert: "slow_call" }),
      ),
    ).toEqual(['Tool "search" differs from the lock: it has changed', "Budget x matches nothing"]);
  });

  test("cuts and escapes the name of a tool", () => {
    const [sentence = ""] = told(breachRecord({ ...passed, tool: `\u001b[2J${"x".repeat(300)}` }));
    expect(sentence).toContain("\\u001b[2Jxxx");
    expect(sentence.length).toBeLessThan(200);
  });

  test(`speaks ${budgetLinesToldMax} times about budgets, then says that it is silent`, () => {
    const breaches = Array.from({ length: budgetLinesToldMax + 5 }, () => breachRecord(passed));
    const drift = alertRecord({ alert: "definitions_changed" });
    const sentences = told(...breaches, drift);
    expect(sentences).toHaveLength(budgetLinesToldMax + 2);
    expect(sentences.at(-2)).toStartWith("Further budget warnings");
    expect(told(...breaches.slice(0, budgetLinesToldMax - 1))).toHaveLength(budgetLinesToldMax - 1);
  });
});
