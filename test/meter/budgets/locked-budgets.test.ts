import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { mergeLockedBudgets } from "#meter/budgets/gate-options.ts";
import { GatedSession } from "../../support/gated-session.ts";
import { call, textResult } from "../../support/rpc.ts";

const parsed = (specs: readonly string[]) => specs.map((spec) => parseBudget(spec, actions));
const held = (locked: readonly string[], own: readonly string[]): string[] =>
  mergeLockedBudgets(parsed(locked), parsed(own), actions).map(({ spec }) => spec);

const rows: readonly (readonly [locked: string[], own: string[], held: string[]])[] = [
  [[], ["5", "6/day"], ["5", "6/day"]],
  [["9/day"], [], ["9/day"]],
  [["9/day"], ["5/day"], ["5/day"]],
  [["9/day"], ["20/day"], ["9/day"]],
  [["9/day"], ["20/day:warn"], ["9/day", "20/day:warn"]],
  [["9/day"], ["5/day:throttle"], ["9/day", "5/day:throttle"]],
  [["9/day"], ["9/day:throttle"], ["9/day"]],
  [["9/day:warn"], ["9/day"], ["9/day:warn", "9/day"]],
  [
    ["9/day"],
    ["a=5/day", "all=7/day", "5calls/day", "5/hour"],
    ["9/day", "a=5/day", "all=7/day", "5calls/day", "5/hour"],
  ],
  [["a=0"], ["a=5"], ["a=0"]],
  [["a=5"], ["a=0"], ["a=0"]],
  [["9/day", "4/day"], [], ["4/day"]],
];

describe("budgets of which some are locked", () => {
  for (const [locked, own, specs] of rows) {
    test(`${locked.join(" ")} and ${own.join(" ")} → ${specs.join(" ")}`, () => {
      expect(held(locked, own)).toEqual(specs);
    });
  }
});

const selector = fc.constantFrom("", "echo=", "*=", "ec?o=");
const limit = fc.integer({ min: 1, max: 60 });
const budget = fc
  .oneof(
    fc.tuple(
      selector,
      limit,
      fc.constantFrom("", "/session"),
      fc.constantFrom("", ":warn", ":truncate"),
    ),
    fc.tuple(
      selector,
      limit.map((n) => `${1 + (n % 4)}calls`),
      fc.constant("/session"),
      fc.constantFrom("", ":warn"),
    ),
  )
  .map((parts) => parts.join(""));

const strict = fc
  .oneof(
    fc.tuple(selector, limit, fc.constantFrom("", "/session")),
    fc.tuple(
      selector,
      limit.map((n) => `${1 + (n % 4)}calls`),
      fc.constant("/session"),
    ),
  )
  .map((parts) => parts.join(""));

test("each locked budget is held by one for the same counter that is not looser", () => {
  const law = fc.property(fc.array(budget), fc.array(budget), (locked, own) => {
    const all = mergeLockedBudgets(parsed(locked), parsed(own), actions);
    for (const one of parsed(locked)) {
      const same = all.filter(
        ({ tool, unit, per, action }) =>
          tool === one.tool && unit === one.unit && per === one.per && action === one.action,
      );
      expect(same).toHaveLength(1);
      expect(same[0]?.limit).toBeLessThanOrEqual(one.limit);
    }
  });
  fc.assert(law);
});

test("no budget of a user lets more pass than the locked one allows", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 6 });
  let passedCalls = 0;
  const law = fc.property(
    strict,
    fc.array(budget, { maxLength: 4 }),
    sizes,
    (locked, own, tokens) => {
      const session = new GatedSession(held([locked], own));
      tokens.forEach((size, at) => {
        session.client(call(at, "echo")).server(textResult(at, "x".repeat(size * 3)));
      });
      session.end();
      const passed = session.records.flatMap((one) =>
        one.type === "call" && one.outcome === "ok" ? [one.total_tokens] : [],
      );
      const [{ limit: most, unit, per } = { limit: 0, unit: "tokens", per: "call" }] = parsed([
        locked,
      ]);
      passedCalls += passed.length;
      const sum = passed.reduce((total, one) => total + one, 0);
      if (unit === "calls") expect(session.toServer.length).toBeLessThanOrEqual(most);
      else if (per === "call") for (const one of passed) expect(one).toBeLessThanOrEqual(most);
      else expect(sum).toBeLessThanOrEqual(most);
    },
  );
  fc.assert(law, { numRuns: 500 });
  expect(passedCalls).toBeGreaterThan(100);
});
