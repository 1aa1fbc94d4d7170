import type { Budget } from "./budget.ts";
import { nearestName } from "#text/nearest.ts";
import type { RecordBody } from "#records/record.ts";
import { fitsWildcard } from "#text/wildcard.ts";

/** Tells, once each, of budgets for tools that a whole list of the server does not name. */
export class Unlisted {
  readonly #budgets: readonly Budget[];
  readonly #told = new Set<string>();

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  /** Alerts that a definitions record calls for; a list that is not whole tells nothing. */
  see(body: RecordBody): RecordBody[] {
    if (body.type !== "definitions" || !body.is_complete || body.tools.length === 0) return [];
    // Of a list that is too long to be priced nobody knows what is missing.
    if (body.tools_total > body.tools.length) return [];
    const names = body.tools.map(({ name }) => name);
    return this.#budgets.flatMap(({ tool, spec, limit }) => {
      if (tool === null || this.#told.has(spec)) return [];
      if (names.some((name) => fitsWildcard(tool, name))) return [];
      this.#told.add(spec);
      return [alertFor(tool, spec, limit, names)];
    });
  }
}

function alertFor(tool: string, spec: string, limit: number, names: readonly string[]): RecordBody {
  const nearest = nearestName(tool, names);
  const hint = nearest === undefined ? "" : `, the nearest name is ${nearest}`;
  return {
    type: "alert",
    alert: "unknown_tool",
    tool,
    budget: spec,
    limit,
    value: names.length,
    detail: `budget ${spec} is for none of the ${names.length} tools the server lists${hint}`,
  };
}
