import type { Action } from "./action.ts";
import type { Budget } from "./budget.ts";
import type { Call } from "./call.ts";
import type { Hold, Purse, PurseBook } from "./purse.ts";
import type { PurseState } from "./record.ts";
import { fitsWildcard } from "./wildcard.ts";

/** A budget for one tool or for the whole server, and where its purse is kept. */
export type Account = {
  readonly budget: Budget;
  readonly action: Action;
  /** Tool whose purse it is; null for the server's. */
  readonly tool: string | null;
  /** Undefined for a limit on each call, which nothing is saved up in. */
  readonly kept: { readonly purse: Purse; readonly book: PurseBook } | undefined;
  breaches: number;
  /** Dearest call, for a limit on each call. */
  dearest: number;
  warned: boolean;
};

/** What one open call may count on in one account. */
export type Claim = { readonly account: Account; hold: Hold | undefined };

/** Where purses are kept: a session's in memory, those of minutes and longer where all meters see them. */
export type PurseBooks = { readonly session: PurseBook; readonly shared: PurseBook };

/** The accounts of a session, opened when a call first needs them. */
export class Accounts {
  readonly #budgets: readonly Budget[];
  readonly #actions: { readonly [id: string]: Action };
  readonly #books: PurseBooks;
  /** Part of every shared purse's key: servers do not share purses. */
  readonly #server: string;
  readonly #accounts = new Map<string, Account>();

  constructor(
    budgets: readonly Budget[],
    actions: { readonly [id: string]: Action },
    books: PurseBooks,
    server: string,
  ) {
    this.#budgets = budgets;
    this.#actions = actions;
    this.#books = books;
    this.#server = server;
  }

  /** Accounts that a call is charged to. Budgets of tools are for tools, one without for all calls. */
  of(call: Call): Account[] {
    const tool = call.method === "tools/call" ? call.asked.tool : null;
    const matching = this.#budgets.filter(
      (budget) => budget.tool === null || (tool !== null && fitsWildcard(budget.tool, tool)),
    );
    const accounts = matching.map((budget) =>
      this.#open(budget, budget.tool === null ? null : tool),
    );
    return [...new Set(accounts)];
  }

  /** Every account with what was spent of it. */
  states(nowMs: number): PurseState[] {
    return [...this.#accounts.values()].map(({ budget, tool, kept, breaches, dearest }) => ({
      budget: budget.spec,
      tool,
      limit: budget.limit,
      unit: budget.unit,
      per: budget.per,
      action: budget.action,
      spent: kept ? kept.book.taken(kept.purse, nowMs) : dearest,
      breaches,
    }));
  }

  #open(budget: Budget, tool: string | null): Account {
    const key = keyOf(budget, tool);
    const known = this.#accounts.get(key);
    if (known) return known;
    const action = this.#actions[budget.action];
    if (!action) throw new Error(`Cannot find action "${budget.action}"`);
    const kept = this.#keep(budget, tool);
    const account = { budget, action, tool, kept, breaches: 0, dearest: 0, warned: false };
    this.#accounts.set(key, account);
    return account;
  }

  #keep(budget: Budget, tool: string | null): Account["kept"] {
    const { per, limit } = budget;
    if (per === "call") return undefined;
    const key = `${this.#server}\n${keyOf(budget, tool)}`;
    const book = per === "session" ? this.#books.session : this.#books.shared;
    return { purse: { key, per, limit }, book };
  }
}

/** Each budget has purses of its own: two of them about one tool must not charge a call to one purse twice. */
function keyOf(budget: Budget, tool: string | null): string {
  return [budget.tool ?? "", tool ?? "*", budget.unit, budget.per, budget.action].join("\n");
}
