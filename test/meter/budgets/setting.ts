import { actions } from "#meter/actions/index.ts";
import { type Budget, parseBudget, rejectContradictions } from "#meter/budgets/budget.ts";
import type { Random } from "../../../scripts/fuzz/contents.ts";
import type { Setting } from "./wire.ts";

export function settingOf(random: Random): Setting {
  return {
    budgets: budgetsOf(random),
    errorForm: random.pick(["tool", "rpc"]),
    repeatsMax: random.chance(0.2) ? 1 + random.below(3) : undefined,
    client: random.pick(["host", "claude-code"]),
    tokenizer: random.pick(["chars3", "words"]),
    observedMax: random.chance(0.3) ? 200 + random.below(300) : 8 * 1024 * 1024,
    isAsked: random.chance(0.5),
    canKeep: random.chance(0.7),
  };
}

function budgetsOf(random: Random): readonly Budget[] {
  for (;;) {
    const specs = Array.from({ length: 1 + random.below(4) }, () => {
      const tool = random.pick(["", "", "a=", "*=", "a*=", "__proto__=", "?="]);
      const isCalls = random.chance(0.25);
      const limit = isCalls ? `${1 + random.below(5)}calls` : String(1 + random.below(120));
      const per = random.pick(["", "/session", "/session", "/minute", "/minute", "/hour", "/day"]);
      const action = random.pick(["", "", ":error", ":warn", ":truncate", ":spill", ":throttle"]);
      return `${tool}${limit}${per}${action}`;
    });
    try {
      const budgets = specs.map((spec) => parseBudget(spec, actions));
      rejectContradictions(budgets, actions);
      const counters = budgets.map(
        ({ tool, unit, per, action }) => `${tool} ${unit} ${per} ${action}`,
      );
      // One that is written twice is one.
      if (new Set(counters).size === counters.length) return budgets;
    } catch {
      // Another throw of the dice.
    }
  }
}
