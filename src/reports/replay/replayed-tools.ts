import type { Budget } from "#budgets/budget.ts";
import type { ReplayedCall } from "./replayed-call.ts";
import { fitsWildcard } from "#text/wildcard.ts";

type ReplayedTool = { readonly number: number; readonly scopes: readonly (number | undefined)[] };

export class ReplayedTools {
  readonly #budgets: readonly Budget[];
  readonly #tools = new Map<string, ReplayedTool>();
  readonly #byNumber: ReplayedTool[] = [];
  readonly #scopes = new Map<string, number>();
  #newest: { readonly call: ReplayedCall; readonly tool: ReplayedTool } | undefined;

  constructor(budgets: readonly Budget[]) {
    this.#budgets = budgets;
  }

  numberOf(call: ReplayedCall): number | undefined {
    const { scopes, number } = this.#toolOf(call);
    return scopes.some((scope) => scope !== undefined) ? number : undefined;
  }

  scopeOf(number: number, budget: number): number | undefined {
    return this.#byNumber[number]?.scopes[budget];
  }

  #toolOf(call: ReplayedCall): ReplayedTool {
    const { server, method } = call;
    const last = this.#newest;
    const isSame =
      last?.call.tool === call.tool && last.call.server === server && last.call.method === method;
    if (isSame) return last.tool;
    const name = method === "tools/call" ? call.tool : null;
    const key = JSON.stringify([server, name]);
    const known = this.#tools.get(key);
    const tool = known ?? {
      number: this.#byNumber.length,
      scopes: this.#budgets.map((budget) => this.#scopeOf(budget, server, name)),
    };
    if (!known) {
      this.#tools.set(key, tool);
      this.#byNumber.push(tool);
    }
    this.#newest = { call, tool };
    return tool;
  }

  #scopeOf(
    { tool: pattern, isOverall }: Budget,
    server: string,
    tool: string | null,
  ): number | undefined {
    const applies = pattern === null || (tool !== null && fitsWildcard(pattern, tool));
    if (!applies) return undefined;
    const scope = JSON.stringify(isOverall ? [] : [server, ...(pattern === null ? [] : [tool])]);
    const number = this.#scopes.get(scope) ?? this.#scopes.size;
    this.#scopes.set(scope, number);
    return number;
  }
}
