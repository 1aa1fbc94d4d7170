import { describe, expect, test } from "bun:test";
import { actions } from "#actions/index.ts";
import { checkBudgets, parseBudget } from "#budgets/budget.ts";
import { thrownBy } from "../support/folder.ts";

const read = (spec: string) => parseBudget(spec, actions);

describe("parseBudget", () => {
  type Row = readonly [
    spec: string,
    tool: string | null,
    limit: number,
    unit: string,
    per: string,
    action: string,
  ];
  const rows: readonly Row[] = [
    ["search=2000", "search", 2_000, "tokens", "call", "error"],
    ["fetch_*=20k/session", "fetch_*", 20_000, "tokens", "session", "error"],
    ["100k/session", null, 100_000, "tokens", "session", "error"],
    ["*=20calls/minute:throttle", "*", 20, "calls", "minute", "throttle"],
    ["read_file=5k:truncate", "read_file", 5_000, "tokens", "call", "truncate"],
    ["500k/day", null, 500_000, "tokens", "day", "error"],
    ["1.5M/hour:warn", null, 1_500_000, "tokens", "hour", "warn"],
    ["1call/session", null, 1, "calls", "session", "error"],
    ["a=b=2000", "a=b", 2_000, "tokens", "call", "error"],
    ["1", null, 1, "tokens", "call", "error"],
  ];
  for (const [spec, tool, limit, unit, per, action] of rows) {
    test(`${spec} is ${limit} ${unit} per ${per}, else ${action}`, () => {
      expect(read(spec) as object).toEqual({
        spec,
        tool,
        limit,
        unit,
        per,
        action,
        warnAtPercent: null,
      });
    });
  }

  const refused: readonly (readonly [spec: string, said: RegExp])[] = [
    [
      "search=lots",
      /^Cannot read budget "search=lots": the limit is "lots", it must be a number such as 2000 or 20k$/,
    ],
    ["search=", /there is no limit/],
    ["", /there is no limit/],
    ["=2000", /there is no tool before "="/],
    ["0", /the limit is "0"/],
    ["-5", /the limit is "-5"/],
    ["1.0001", /the limit is "1\.0001"/],
    ["9e99", /the limit is "9e99"/],
    ["99999999999999999999", /the limit is/],
    [
      "2000/week",
      /the period is "week", it must be one of call, session, minute, hour, day as in 20k\/session$/,
    ],
    ["2000/", /there is no period/],
    [
      "2000:explode",
      /the action is "explode", it must be one of error, warn, truncate, spill, throttle as in search=2000:warn$/,
    ],
    ["2000:toString", /the action is "toString"/],
    ["2000:", /there is no action/],
    ["2k:warn:error", /two actions/],
    ["2k/minute/hour", /two periods/],
    ["20calls", /calls need a period/],
    ["20calls/session:truncate", /makes answers smaller/],
    ["2k:throttle", /waits for a counter to refill/],
    ["2k/session:throttle", /waits for a counter to refill/],
  ];
  for (const [spec, said] of refused) {
    test(`${JSON.stringify(spec)} is refused in one sentence`, () => {
      const sentence = thrownBy(() => read(spec));
      expect(sentence).toMatch(said);
      expect(sentence).toStartWith(`Cannot read budget "${spec}": `);
      expect(sentence).not.toMatch(/\.$|\n/);
    });
  }
});

function check(...specs: readonly string[]): string {
  return thrownBy(() => checkBudgets(specs.map(read), actions));
}

describe("checkBudgets", () => {
  test("two limits of one counter contradict each other, in one sentence", () => {
    const sentence = check("search=2k/session", "search=3k/session");
    expect(sentence).toContain("search=2k/session");
    expect(sentence).toContain("search=3k/session");
  });

  test("two enforcing actions at one limit contradict each other, a warning does not", () => {
    expect(check("search=2k:truncate", "search=2000")).toContain("search=2000");
    expect(check("search=2k:warn", "search=2000")).toBe("(nothing was thrown)");
    expect(check("10k/minute:throttle", "20k/minute")).toBe("(nothing was thrown)");
  });

  test("other counters, and the same said twice, do not", () => {
    expect(check("search=2k/session", "search=2k/session", "search=3k", "2k/session")).toBe(
      "(nothing was thrown)",
    );
    expect(check("80k/session:warn", "100k/session")).toBe("(nothing was thrown)");
  });
});
