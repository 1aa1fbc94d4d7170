import { describe, expect, test } from "bun:test";
import { parseBudgetOptions } from "#commands/run/budget-options.ts";
import type { RawOptions } from "#commands/command.ts";
import { thrownBy } from "../../support/folder.ts";

const specs = (raw: RawOptions) => parseBudgetOptions(raw).budgets.map(({ spec }) => spec);

describe("parseBudgetOptions", () => {
  test("of nothing holds nothing", () => {
    expect(parseBudgetOptions({})).toEqual({
      budgets: [],
      errorForm: "tool",
      warnAtPercent: 80,
      repeatsMax: undefined,
      lockFile: undefined,
      isLockEnforced: false,
    });
  });

  test("budgets come one by one, or several in one variable", () => {
    expect(specs({ budget: ["a=1", "b=2k"] })).toEqual(["a=1", "b=2k"]);
    expect(specs({ budget: " a=1  b=2k " })).toEqual(["a=1", "b=2k"]);
  });

  test("those of the config file are read like those of the command line, which win", () => {
    const budgets = JSON.stringify([
      { tool: "a", limit: 2_000, per: "session", action: "warn", warn_at: 50 },
      { limit: "5k" },
    ]);
    expect(parseBudgetOptions({ budgets }).budgets).toMatchObject([
      { tool: "a", limit: 2_000, per: "session", action: "warn", warnAtPercent: 50 },
      { tool: null, limit: 5_000, per: "call", action: "error", warnAtPercent: null },
    ]);
    expect(specs({ budgets, budget: ["b=1"] })).toEqual(["b=1"]);
  });

  const refused: readonly (readonly [raw: RawOptions, said: string])[] = [
    [{ budget: "a=lots" }, 'Cannot read budget "a=lots"'],
    [{ budget: ["a=1k/session", "a=2k/session"] }, "a=2k/session"],
    [{ "warn-at": "101" }, '--warn-at must be a share of 1 to 100 percent, not "101"'],
    [{ "warn-at": "0" }, "--warn-at must be "],
    [{ "error-form": "html" }, '--error-form must be one of tool, rpc, not "html"'],
    [{ "max-repeats": "0" }, "--max-repeats must be "],
  ];
  for (const [raw, said] of refused) {
    test(`${JSON.stringify(raw)} is refused in one sentence`, () => {
      expect(thrownBy(() => parseBudgetOptions(raw))).toContain(said);
    });
  }
});
