import { type Amounts } from "./apply-change.ts";
import {
  type Counter,
  type CounterStore,
  type Hold,
  type Resizing,
  type Standing,
  makeStanding,
} from "#meter/budgets/counter.ts";
import { findCurrentWindow } from "#meter/budgets/windows.ts";

type Balance = { -readonly [name in keyof Amounts]: Amounts[name] };

export class MemoryCounters implements CounterStore {
  readonly #balances = new Map<string, Balance>();
  #lastId = 0;

  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined {
    const balance = this.#currentBalance(counter, nowMs);
    const { window, spent, held } = balance;
    if (!isForced && spent + held + amount > counter.limit) return undefined;
    balance.held += amount;
    this.#lastId += 1;
    return { counter, window, amount, isSpent: false, id: this.#lastId };
  }

  resize(hold: Hold, amount: number, nowMs: number, { isForced, isSpent }: Resizing): boolean {
    const balance = this.#currentBalance(hold.counter, nowMs);
    const previous = balance.window === hold.window ? hold.amount : 0;
    const others = balance.spent + balance.held - previous;
    if (!isForced && others + amount > hold.counter.limit) return false;
    balance[hold.isSpent ? "spent" : "held"] -= previous;
    balance[isSpent ? "spent" : "held"] += amount;
    Object.assign(hold, { window: balance.window, amount, isSpent });
    return true;
  }

  settle(hold: Hold, amount: number): void {
    const balance = this.#balances.get(hold.counter.key);
    if (balance?.window === hold.window) {
      balance[hold.isSpent ? "spent" : "held"] -= hold.amount;
      balance.spent += amount;
    }
    Object.assign(hold, { amount, isSpent: true });
  }

  release(hold: Hold): void {
    this.settle(hold, 0);
  }

  readStanding(counter: Counter, nowMs: number): Standing {
    const balance = this.#balances.get(counter.key);
    const { keepsAmounts } = findCurrentWindow(counter.per, balance?.window, nowMs);
    return balance && keepsAmounts ? makeStanding(balance.spent, balance.held) : makeStanding(0, 0);
  }

  #currentBalance(counter: Counter, nowMs: number): Balance {
    const known = this.#balances.get(counter.key);
    const { window, keepsAmounts } = findCurrentWindow(counter.per, known?.window, nowMs);
    if (known && keepsAmounts) return Object.assign(known, { window });
    const fresh = { window, spent: 0, held: 0 };
    this.#balances.set(counter.key, fresh);
    return fresh;
  }
}
