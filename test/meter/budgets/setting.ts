import { actions } from "#meter/actions/index.ts";
import type { CallPrices } from "#meter/budgets/gate-options.ts";
import { type Budget, parseBudget, rejectContradictions } from "#meter/budgets/budget.ts";
import type { Random } from "../../../scripts/fuzz/contents.ts";
import type { Setting } from "./wire.ts";

export function settingOf(random: Random, notesRepeats: boolean): Setting {
  return {
    // A note needs room for the long answer that it repeats.
    budgets: budgetsOf(random, notesRepeats ? 12 : 1),
    notesRepeats,
    errorForm: random.pick(["tool", "rpc"]),
    repeatsMax: random.chance(0.2) ? 1 + random.below(3) : undefined,
    client: random.pick(["host", "claude-code"]),
    tokenizer: random.pick(["chars3", "words"]),
    observedMax: random.chance(0.3) ? 200 + random.below(300) : 8 * 1024 * 1024,
    isAsked: random.chance(0.5),
    canKeep: random.chance(0.7),
    callPrices,
  };
}

export const callPrices: CallPrices = {
  origin: "made",
  argumentToken: 3e-6,
  answerToken: 10e-6,
  findToolPrice: (tool) => (tool === "b" ? 40_000 : 0),
};

function budgetsOf(random: Random, scale: number): readonly Budget[] {
  for (;;) {
    const specs = Array.from({ length: 1 + random.below(4) }, () => {
      const tool = random.pick(["", "", "a=", "*=", "a*=", "__proto__=", "?="]);
      const number = scale * (1 + random.below(120));
      const limit = random.pick([
        String(number),
        String(number),
        `${1 + random.below(5)}calls`,
        `$${(number / 100_000).toFixed(5)}`,
      ]);
      const lasting = random.pick(["/minute", "/minute/user", "/hour", "/day"]);
      const per = random.pick(["", "/session", "/session", lasting, lasting, lasting]);
      const action = random.pick(["", "", ":error", ":warn", ":truncate", ":spill", ":throttle"]);
      return `${tool}${limit}${per}${action}`;
    });
    try {
      const budgets = specs.map((spec) => parseBudget(spec, actions));
      rejectContradictions(budgets, actions);
      const counters = budgets.map(
        ({ tool, unit, per, owner, action }) => `${tool} ${unit} ${per} ${owner} ${action}`,
      );
      // One that is written twice is one.
      if (new Set(counters).size === counters.length) return budgets;
    } catch {
      // Another throw of the dice.
    }
  }
}
