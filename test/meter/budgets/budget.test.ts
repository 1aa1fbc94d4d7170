import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { actions } from "#meter/actions/index.ts";
import { makeBudget, periods, type RawBudget, parseBudget } from "#meter/budgets/budget.ts";
import { thrownBy } from "../../support/folder.ts";

const make = (raw: RawBudget) => makeBudget(raw, actions);

describe("makeBudget", () => {
  test("fills in what is not given", () => {
    expect(make({ limit: 2_000 })).toEqual({
      spec: "2000",
      tool: null,
      isOverall: false,
      limit: 2_000,
      unit: "tokens",
      per: "call",
      owner: "fleet",
      action: "error",
      warnAtPercent: null,
    });
  });

  test("takes every part, and is named after those that were given", () => {
    const raw = { tool: "a", limit: "20calls", per: "minute", action: "throttle", warn_at: 50 };
    expect(make(raw)).toEqual({
      spec: "a=20calls/minute:throttle",
      tool: "a",
      isOverall: false,
      limit: 20,
      unit: "calls",
      per: "minute",
      owner: "fleet",
      action: "throttle",
      warnAtPercent: 50,
    });
  });

  test("a limit of 0 forbids a tool; all adds up all servers", () => {
    expect(make({ tool: "a*", limit: 0 })).toMatchObject({ tool: "a*", limit: 0, per: "call" });
    const overall = { tool: null, isOverall: true, limit: 500_000, per: "day" };
    expect(make({ tool: "all", limit: "500k", per: "day" })).toMatchObject(overall);
    expect(make({ tool: "al?", limit: 5 })).toMatchObject({ tool: "al?", isOverall: false });
  });

  test.each(["a=b", "a=", "=", "a/b", "a:b", "two words", "a=1k/day:warn"])(
    "takes the tool %j as it is",
    (tool) => expect(make({ tool, limit: 5, per: "day" })).toMatchObject({ tool, per: "day" }),
  );

  test.each([
    [{ tool: "", limit: 5 }, "requires a tool"],
    [{ limit: 0 }, "a limit of 0 forbids a tool and requires its name, as in search=0"],
    [{ tool: "all", limit: 0 }, "a limit of 0 forbids a tool and requires its name"],
    [{ tool: "a", limit: 0, per: "day" }, "write it without a unit, period or action"],
    [{ tool: "a", limit: "0calls" }, "write it without a unit, period or action"],
    [{ tool: "a", limit: 0, action: "warn" }, "write it without a unit, period or action"],
    [{ tool: "all", limit: 5 }, "requires a period from minute to month, as in all=5/day"],
    [{ tool: "all", limit: 5, per: "session" }, 'to limit a tool named "all", write "al?"'],
    [{ limit: "a=5" }, '"a=5" is not a number'],
    [{ limit: "20k/day" }, '"20k/day" is not a number'],
  ] as const)("rejects %j", (raw, said) => {
    expect(thrownBy(() => make(raw))).toContain(said);
  });
});

const oneTool = fc
  .oneof(fc.string(), fc.string({ unit: fc.constantFrom(..."=/:* ak") }))
  .filter((tool) => !/=\d[^,]*,/.test(tool));

const raw: fc.Arbitrary<RawBudget> = fc.record(
  {
    tool: oneTool,
    limit: fc.oneof(
      fc.integer({ min: 1 }),
      fc.constantFrom("2000", "20k", "1.5M", "20calls", "1call", " 5 ", "$5", "$0.000000001"),
    ),
    per: fc.constantFrom(...periods),
    owner: fc.constantFrom("user", "fleet"),
    action: fc.constantFrom(...Object.keys(actions)),
  },
  { requiredKeys: ["limit"] },
);

test("a budget's spec parses to the same budget", () => {
  fc.assert(
    fc.property(raw, (parts) => {
      fc.pre(thrownBy(() => make(parts)) === "(nothing was thrown)");
      expect(parseBudget(make(parts).spec, actions)).toEqual(make(parts));
    }),
    { numRuns: 2_000 },
  );
});
