import { describe, expect, test } from "bun:test";
import {
  holdsMessages,
  needsGate,
  parseBudgetOptions,
  refusesCalls,
  savesAnswers,
} from "#commands/run/budget-options.ts";
import type { RawOptions } from "#commands/command.ts";
import { readConfigFile } from "#state/storage/config/config-file.ts";
import { noTrim } from "#lock/hidden-tools.ts";
import { Folder, thrownBy } from "../../support/folder.ts";

const saves = (...budget: string[]) => savesAnswers(parseBudgetOptions({ budget }));
const specs = (raw: RawOptions) => parseBudgetOptions(raw).budgets.map(({ spec }) => spec);

function limits(policy: string | undefined, configFaults: readonly string[]): readonly boolean[] {
  const options = parseBudgetOptions(policy === undefined ? {} : { "on-fault": policy });
  const limited = { ...options, configFaults, trim: noTrim };
  return [refusesCalls(limited), needsGate(limited)];
}

const outrankedBy = (limit: string, budget: string) =>
  parseBudgetOptions({
    budget,
    "locked-budgets": JSON.stringify([{ limit, per: "day" }]),
  }).outrankedBudgets;

describe("parseBudgetOptions", () => {
  test("without options limits nothing", () => {
    expect(parseBudgetOptions({})).toEqual({
      budgets: [],
      lockedBudgets: [],
      outrankedBudgets: [],
      errorForm: "tool",
      onCounterFailure: "local",
      redis: undefined,
      spillDir: undefined,
      warnAtPercent: 80,
      repeatsMax: undefined,
      notesRepeats: false,
      lockFile: undefined,
      isLockEnforced: false,
      onFault: "open",
    });
  });

  test("repeated answers become notes only where it is asked for, and need a gate", () => {
    expect(parseBudgetOptions({ repeat: "note" }).notesRepeats).toBe(true);
    expect(parseBudgetOptions({ repeat: "off" }).notesRepeats).toBe(false);
    expect(
      needsGate({ ...parseBudgetOptions({ repeat: "note" }), configFaults: [], trim: noTrim }),
    ).toBe(true);
    expect(
      needsGate({ ...parseBudgetOptions({ repeat: "off" }), configFaults: [], trim: noTrim }),
    ).toBe(false);
  });

  test.each([
    ["warn", false],
    ["error", true],
    ["truncate", true],
    ["spill", true],
    ["throttle", true],
  ])("a budget with the action %s may hold messages: %p", (action, holds) => {
    const budget = [action === "throttle" ? "1calls/minute:throttle" : `1:${action}`];
    const options = { ...parseBudgetOptions({ budget }), configFaults: [], trim: noTrim };
    expect(needsGate(options)).toBe(true);
    expect(holdsMessages({ ...options, isAnnotating: false })).toBe(holds);
  });

  test("a user's budget is outranked by a tighter locked one, not by an equal or a wider one", () => {
    expect(outrankedBy("500k", "600k/day")).toEqual(["600k/day"]);
    expect(outrankedBy("500k", "500k/day:truncate")).toEqual(["500k/day:truncate"]);
    expect(outrankedBy("500k", "500000/day")).toEqual([]);
    expect(outrankedBy("500k", "400k/day")).toEqual([]);
    expect(outrankedBy("500k", "600k/week")).toEqual([]);
  });

  test("answers are saved only where a budget asks for it", () => {
    expect([saves("a=1"), saves("a=1k:truncate"), saves("b=1", "a=1k:spill")]).toEqual([
      false,
      false,
      true,
    ]);
    expect(parseBudgetOptions({ "spill-dir": "answers" }).spillDir).toBe("answers");
  });

  test("budgets come one by one, or several in one variable", () => {
    expect(specs({ budget: ["a=1", "b=2k"] })).toEqual(["a=1", "b=2k"]);
    expect(specs({ budget: " a=1  b=2k " })).toEqual(["a=1", "b=2k"]);
  });

  test("calls are refused for a mistake in a config only where on-fault says closed", () => {
    expect(limits("closed", ["window"])).toEqual([true, true]);
    expect(limits("closed", [])).toEqual([false, false]);
    expect(limits("open", ["window"])).toEqual([false, false]);
    expect(limits(undefined, ["window"])).toEqual([false, false]);
    expect(thrownBy(() => parseBudgetOptions({ "on-fault": "clsoed" }))).toBe(
      '--on-fault must be one of open, closed, not "clsoed"; did you mean closed?',
    );
  });

  test("those of the command line replace those of the config file", () => {
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

  test("a tool of the config file may have any name", () => {
    using folder = new Folder();
    const tools = ["a=b", "a/b", "a:b", "two words"];
    const rows = tools.map((tool) => ({ tool, limit: "2k", per: "session" }));
    const { general } = readConfigFile(folder.file("c.json", JSON.stringify({ budgets: rows })));
    const { budgets } = parseBudgetOptions(Object.fromEntries(general));
    expect(budgets.map(({ tool, limit, per }) => [tool, limit, per])).toEqual(
      tools.map((tool) => [tool, 2_000, "session"]),
    );
  });

  const refused: readonly (readonly [raw: RawOptions, said: string])[] = [
    [{ budget: "a=lots" }, 'Cannot read budget "a=lots"'],
    [{ budget: ["a=1k/session", "a=2k/session"] }, "a=2k/session"],
    [{ "warn-at": "101" }, '--warn-at must be a whole percentage from 1 to 100, not "101"'],
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
