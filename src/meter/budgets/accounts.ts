import { nameCharactersMax, toolRowsMax } from "#kit/limits.ts";
import type { Call } from "../calls/call.ts";
import type { BudgetState } from "#records/record.ts";
import { fitsWildcard, isWildcard } from "#kit/text/match-names.ts";
import type { Action } from "./decision.ts";
import type { Budget } from "./budget.ts";
import type { Counter, CounterStore } from "./counter.ts";
import type { GateOptions } from "./gate-options.ts";

export type Account = {
  readonly budget: Budget;
  readonly action: Action;
  readonly tool: string | null;
  readonly kept: { readonly counter: Counter; readonly store: CounterStore } | undefined;
  breaches: number;
  largest: number;
  warned: boolean;
};

/** Tools beyond `toolRowsMax` share one account per budget. */
const otherTools = "(other)";

const unreadTool = "(unread)";

export class Accounts {
  readonly #options: Pick<GateOptions, "budgets" | "actions" | "stores">;
  /** Part of every shared counter's key: servers do not share counters. */
  readonly #server: string;
  readonly #accounts = new Map<string, Account>();

  constructor(options: Pick<GateOptions, "budgets" | "actions" | "stores">, server: string) {
    this.#options = options;
    this.#server = server;
  }

  /**
   * The accounts that a call is charged to. Budgets of tools apply to tools, one without a tool to all
   * calls. A call whose tool could not be read (`named` is null) is charged to each counter of a tool, so that an
   * unreadable name evades none.
   */
  for(call: Call, named: string | null = call.asked.tool): Account[] {
    const isTool = call.method === "tools/call";
    const accounts = this.#options.budgets.flatMap((budget) => {
      if (call.isForPage && !limitsPages(budget)) return [];
      if (budget.tool === null) return [this.#open(budget, null)];
      if (!isTool) return [];
      // A name that was cut may be any.
      if (named === null || named.length >= nameCharactersMax)
        return this.#ofEveryTool(budget, budget.tool);
      const isUnder = fitsWildcard(budget.tool, named) || isForbidden(budget, budget.tool, named);
      return isUnder ? [this.#open(budget, named)] : [];
    });
    return [...new Set(accounts)];
  }

  #ofEveryTool(budget: Budget, pattern: string): readonly Account[] {
    if (!isWildcard(pattern)) return [this.#open(budget, pattern)];
    const open = [...this.#accounts.values()].filter((account) => account.budget === budget);
    return open.length === 0 ? [this.#open(budget, unreadTool)] : open;
  }

  states(nowMs: number): BudgetState[] {
    for (const budget of this.#options.budgets) {
      if (!isWildcard(budget.tool ?? "")) this.#open(budget, budget.tool);
    }
    return [...this.#accounts.values()].map(({ budget, tool, kept, breaches, largest }) => ({
      budget: budget.spec,
      tool,
      limit: budget.limit,
      unit: budget.unit,
      per: budget.per,
      action: budget.action,
      spent: kept ? kept.store.standing(kept.counter, nowMs).taken : largest,
      breaches,
    }));
  }

  #open(budget: Budget, rawTool: string | null): Account {
    const known = this.#accounts.get(keyOf(budget, rawTool));
    if (known) return known;
    const isFull = rawTool !== null && this.#accounts.size >= toolRowsMax;
    const tool = isFull && isWildcard(budget.tool ?? "") ? otherTools : rawTool;
    const other = tool === rawTool ? undefined : this.#accounts.get(keyOf(budget, tool));
    if (other) return other;
    const action = this.#options.actions[budget.action];
    if (!action) throw new Error(`Unknown action "${budget.action}"`);
    const kept = this.#keep(budget, tool);
    const account = { budget, action, tool, kept, breaches: 0, largest: 0, warned: false };
    this.#accounts.set(keyOf(budget, tool), account);
    return account;
  }

  #keep(budget: Budget, tool: string | null): Account["kept"] {
    const { per, limit } = budget;
    if (per === "call") return undefined;
    const key = counterKey(budget, tool, budget.isOverall ? null : this.#server);
    const { session, shared } = this.#options.stores;
    return { counter: { key, per, limit }, store: per === "session" ? session : shared };
  }
}

/** Answers to pages are in no context. A budget that forbids a tool, or names it, applies to pages as well. */
function limitsPages({ tool, limit }: Budget): boolean {
  return limit === 0 || (tool !== null && !isWildcard(tool));
}

/** Some servers find a tool by a name in other letters, or with blanks: none of those of a forbidden one may run. */
function isForbidden({ limit }: Budget, pattern: string, named: string): boolean {
  return limit === 0 && fitsWildcard(lettersOf(pattern), lettersOf(named));
}

function lettersOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\p{C}\s]/gu, "");
}

/** Each budget has counters of its own: two budgets about one tool must not charge one counter twice. `server` is null for all servers together. */
function counterKey(budget: Budget, tool: string | null, server: string | null): string {
  const { tool: pattern, unit, per, action } = budget;
  return JSON.stringify([server, tool, pattern, unit, per, action]);
}

function keyOf(budget: Budget, tool: string | null): string {
  return counterKey(budget, tool, budget.isOverall ? null : "");
}
