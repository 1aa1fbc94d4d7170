import { describe, expect, test } from "bun:test";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { thrownBy } from "../../support/folder.ts";

const read = (spec: string) => parseBudget(spec, actions);

describe("parseBudget", () => {
  type Row = readonly [
    spec: string,
    tool: string | null,
    limit: number,
    unit: string,
    per: string,
    action: string,
    owner?: string,
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
    ["a/b:c=2k/day:warn", "a/b:c", 2_000, "tokens", "day", "warn"],
    ["two words=1.1M", "two words", 1_100_000, "tokens", "call", "error"],
    ["1", null, 1, "tokens", "call", "error"],
    ["500k/day/user", null, 500_000, "tokens", "day", "error", "user"],
    ["a=20calls/month/user:warn", "a", 20, "calls", "month", "warn", "user"],
    ["20M/day/fleet", null, 20_000_000, "tokens", "day", "error", "fleet"],
    ["$5/day", null, 5_000_000_000, "dollars", "day", "error"],
    ["exa_*=$0.05", "exa_*", 50_000_000, "dollars", "call", "error"],
    ["exa_*=$2.5/week/user:warn", "exa_*", 2_500_000_000, "dollars", "week", "warn", "user"],
  ];
  for (const [spec, tool, limit, unit, per, action, owner = "fleet"] of rows) {
    test(`${spec} is ${limit} ${unit} per ${per}, then ${action}`, () => {
      expect(read(spec) as object).toEqual({
        spec,
        tool,
        isOverall: false,
        limit,
        unit,
        per,
        owner,
        action,
        warnAtPercent: null,
      });
    });
  }

  const rejected: readonly (readonly [spec: string, said: RegExp])[] = [
    [
      "search=lots",
      /^Cannot read budget "search=lots": "lots" is not a number such as 2000 or 20k$/,
    ],
    [
      "search=",
      /the limit is missing; write a number such as 2000 or 20k, or '\$5' in single quotes$/,
    ],
    ["", /the limit is missing; write a number such as 2000 or 20k, or /],
    ["=2000", /"=" requires a tool before it, as in search=2000$/],
    ["0", /a limit of 0 forbids a tool and requires its name, as in search=0$/],
    ["1.5", /the limit must be a whole number from 0 to 9,007,199,254,740,991, not "1.5"$/],
    ["-5", /"-5" is not a number/],
    ["1.0001", /the limit must be a whole number .*, not "1\.0001"$/],
    ["9e99", /"9e99" is not a number/],
    ["99999999999999999999", /the limit must be a whole number .*, not "99999999999999999999"$/],
    [
      "2000/year",
      /"year" is not a known period; use one of call, session, minute, hour, day, week, month$/,
    ],
    ["2000/", /the period is missing; use one of call, /],
    [
      "2000:explode",
      /"explode" is not a known action; use one of error, warn, truncate, spill, throttle$/,
    ],
    ["2000:toString", /"toString" is not a known action/],
    ["2000:", /the action is missing; use one of error, /],
    ["2k:warn:error", /it has more than one action; write one, as in search=2000:warn$/],
    ["2k/minute/hour", /it has more than one period; write one, as in 20k\/session$/],
    ["2k/day/team", /"team" is not a known owner; use one of user, fleet$/],
    ["2k/day/user/fleet", /it has more than one owner; write one, as in 500k\/day\/user$/],
    [
      "2k/session/user",
      /"\/user" requires a period from minute to month, as in 500k\/day\/user: a session has only one/,
    ],
    [
      "2k/call/fleet",
      /"\/fleet" requires a period from minute to month, as in 500k\/day\/fleet: a call has only one/,
    ],
    ["$", /the limit must be an amount such as \$5 or \$0\.05, at most \$9,007,199, not "\$"$/],
    ["$1k", /must be an amount such as .*, not "\$1k"$/],
    ["$9007200", /must be an amount such as .*, not "\$9007200"$/],
    ["$0.0000000001", /must be an amount such as/],
    ["$0/day", /a limit of 0 forbids a tool/],
    ["all=$5", /requires a period from minute to month, as in all=\$5\/day/],
    ["20calls", /a limit of calls requires a period, as in 20calls\/session$/],
    ["20calls/session:truncate", /"truncate" shortens answers and requires a limit of tokens/],
    ["2k:throttle", /waits for a counter to refill/],
    ["2k/session:throttle", /waits for a counter to refill/],
  ];
  for (const [spec, said] of rejected) {
    test(`${JSON.stringify(spec)} is rejected in one sentence`, () => {
      const sentence = thrownBy(() => read(spec));
      expect(sentence).toMatch(said);
      expect(sentence).toStartWith(`Cannot read budget "${spec}": `);
      expect(sentence).not.toMatch(/\.$|\n/);
    });
  }
});

test("two budgets joined by a comma are refused", () => {
  for (const spec of ["search=1,other=6", "search=20k/session:warn,other=6"]) {
    expect(thrownBy(() => read(spec))).toContain("give each its own --budget");
  }
  expect(read("a,b=5").tool).toBe("a,b");
});
