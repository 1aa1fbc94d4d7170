import type { Budget } from "./budget.ts";
import { nearestName } from "#kit/text/nearest.ts";
import type { RecordBody } from "#records/record.ts";
import { fitsWildcard } from "#kit/text/wildcard.ts";
import { budgetSentences } from "./sentences.ts";

export class UnmatchedBudgets {
  readonly #budgets: readonly Budget[];
  readonly #reported = new Set<string>();

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  alertsFor(body: RecordBody): RecordBody[] {
    if (body.type !== "definitions" || !body.is_complete) return [];
    const names = [...body.tools, ...(body.view_tools ?? [])].map(({ name }) => name);
    if (names.length === 0) return [];
    // A list that is too long to be priced may name the tool further down.
    if (body.tools_total > body.tools.length) return [];
    return this.#budgets.flatMap(({ tool, spec, limit }) => {
      if (tool === null || this.#reported.has(spec)) return [];
      if (names.some((name) => fitsWildcard(tool, name))) return [];
      this.#reported.add(spec);
      return [alertFor(tool, spec, limit, names)];
    });
  }
}

function alertFor(tool: string, spec: string, limit: number, names: readonly string[]): RecordBody {
  return {
    type: "alert",
    alert: "unknown_tool",
    tool,
    budget: spec,
    limit,
    value: names.length,
    detail: budgetSentences.budgetUnmatched(spec, names.length, nearestName(tool, names)),
  };
}
