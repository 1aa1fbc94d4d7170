import { describe, expect, test } from "bun:test";
import { actions } from "#meter/actions/index.ts";
import { parseBudget, rejectContradictions } from "#meter/budgets/budget.ts";
import { thrownBy } from "../../support/folder.ts";

function check(...specs: readonly string[]): string {
  return thrownBy(() =>
    rejectContradictions(
      specs.map((spec) => parseBudget(spec, actions)),
      actions,
    ),
  );
}

describe("rejectContradictions", () => {
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

  test("other counters, and the same budget twice, do not", () => {
    expect(check("search=2k/session", "search=2k/session", "search=3k", "2k/session")).toBe(
      "(nothing was thrown)",
    );
    expect(check("80k/session:warn", "100k/session")).toBe("(nothing was thrown)");
  });
});
