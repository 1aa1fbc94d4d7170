import { toolRowsMax } from "#limits.ts";
import type { Action } from "./action.ts";
import type { Budget } from "./budget.ts";
import type { Call } from "#calls/call.ts";
import type { Counter, CounterStore } from "./counter.ts";
import type { BudgetState } from "#records/record.ts";
import { fitsWildcard, isWildcard } from "#text/wildcard.ts";

/** A budget for one tool or for the whole server, and where its counter is kept. */
export type Account = {
  readonly budget: Budget;
  readonly action: Action;
  /** Tool whose counter it is; null for the server's. */
  readonly tool: string | null;
  /** Undefined for a limit on each call, which nothing is saved up in. */
  readonly kept: { readonly counter: Counter; readonly book: CounterStore } | undefined;
  breaches: number;
  /** Dearest call, for a limit on each call. */
  dearest: number;
  warned: boolean;
};

/** Where counters are kept: a session's in memory, those of minutes and longer where all meters see them. */
export type CounterStores = { readonly session: CounterStore; readonly shared: CounterStore };

/** Tools beyond `toolRowsMax` share one account for each budget. */
const otherTools = "(other)";

const unreadTool = "(unread)";

/** The accounts of a session, opened when a call first needs them. */
export class Accounts {
  readonly #budgets: readonly Budget[];
  readonly #actions: { readonly [id: string]: Action };
  readonly #books: CounterStores;
  /** Part of every shared counter's key: servers do not share counters. */
  readonly #server: string;
  readonly #accounts = new Map<string, Account>();

  constructor(
    budgets: readonly Budget[],
    actions: { readonly [id: string]: Action },
    books: CounterStores,
    server: string,
  ) {
    this.#budgets = budgets;
    this.#actions = actions;
    this.#books = books;
    this.#server = server;
  }

  /**
   * Accounts that a call is charged to. Budgets of tools are for tools, one without for all calls. A tool
   * whose name could not be read is under each of them: nothing slips under by being too long.
   */
  of(call: Call, named: string | null = call.asked.tool): Account[] {
    const tool = call.method === "tools/call" ? (named ?? unreadTool) : null;
    const matching = this.#budgets.filter(
      (budget) =>
        budget.tool === null ||
        (tool !== null && (named === null || fitsWildcard(budget.tool, tool))),
    );
    const accounts = matching.map((budget) =>
      this.#open(budget, budget.tool === null ? null : tool),
    );
    return [...new Set(accounts)];
  }

  /** Every account with what was spent of it, and every budget that needs no call to have one. */
  states(nowMs: number): BudgetState[] {
    for (const budget of this.#budgets) {
      if (!isWildcard(budget.tool ?? "")) this.#open(budget, budget.tool);
    }
    return [...this.#accounts.values()].map(({ budget, tool, kept, breaches, dearest }) => ({
      budget: budget.spec,
      tool,
      limit: budget.limit,
      unit: budget.unit,
      per: budget.per,
      action: budget.action,
      spent: kept ? kept.book.taken(kept.counter, nowMs) : dearest,
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
    const action = this.#actions[budget.action];
    if (!action) throw new Error(`Cannot find action "${budget.action}"`);
    const kept = this.#keep(budget, tool);
    const account = { budget, action, tool, kept, breaches: 0, dearest: 0, warned: false };
    this.#accounts.set(keyOf(budget, tool), account);
    return account;
  }

  #keep(budget: Budget, tool: string | null): Account["kept"] {
    const { per, limit } = budget;
    if (per === "call") return undefined;
    const key = `[${JSON.stringify(this.#server)},${keyOf(budget, tool).slice(1)}`;
    const book = per === "session" ? this.#books.session : this.#books.shared;
    return { counter: { key, per, limit }, book };
  }
}

/** Each budget has counters of its own: two of them about one tool must not charge a call to one counter twice. */
function keyOf({ tool: pattern, unit, per, action }: Budget, tool: string | null): string {
  return JSON.stringify([tool, pattern, unit, per, action]);
}
