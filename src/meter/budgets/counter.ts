import { tryParseJson } from "#kit/errors.ts";
import { type Budget, type Owner, nanodollarsPerDollar, periods, type Unit } from "./budget.ts";
import { type CounterPeriod, computeRefill, computeWindow } from "./windows.ts";

export type Counter = {
  readonly key: string; // see `makeCounterKey`
  readonly per: CounterPeriod;
  readonly limit: number;
  readonly action?: string; // of the budget; shown in lists of counters
};

export type Hold = {
  readonly counter: Counter;
  window: number;
  amount: number;
  isSpent: boolean; // stays charged even if mcp-meter is killed
  readonly id: number;
};

export type Resizing = { readonly isForced: boolean; readonly isSpent: boolean };

// The amount that a decision needs from a store that cannot answer at once. A new call has no `hold` yet.
export type Need = {
  readonly counter: Counter;
  readonly hold: Hold | undefined;
  readonly amount: number;
  readonly isSpent: boolean;
};

export type Standing = {
  readonly spent: number;
  readonly held: number;
  readonly taken: number;
  readonly mayGrant: boolean; // false if the store is unreachable and its policy refuses calls
};

export function makeStanding(spent: number, held: number): Standing {
  return { spent, held, taken: spent + held, mayGrant: true };
}

/** Unless forced, `hold` and `resize` grant nothing beyond the limit. Times are wall-clock ms. */
export type CounterStore = {
  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined;
  // Also moves the hold to the current window. Without room, changes nothing and returns false.
  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): boolean;
  // Spends `amount` in the hold's window. Settling again corrects the amount.
  settle(hold: Hold, amount: number): void;
  release(hold: Hold): void;
  readStanding(counter: Counter, nowMs: number): Standing;
  // Only in stores whose `readStanding` may read a file: the standing that this process remembers, or zeros.
  readonly recallStanding?: (counter: Counter, nowMs: number) => Standing;
  // Only in stores that cannot answer at once: requests room for a later `hold` or `resize`.
  // True if the decision must wait for the answer.
  readonly mustWaitFor?: (need: Need, nowMs: number) => boolean;
};

export type StoredCounter = {
  readonly key: string;
  readonly per: string;
  readonly limit: number;
  readonly action: string;
  readonly window: number;
  readonly spent: number;
  readonly held: number;
};

export type CounterStatus = {
  readonly server: string | null; // null for all servers together
  readonly tool: string | null;
  readonly pattern: string | null; // the budget's tool name or wildcard; null for the whole server
  readonly limit: number;
  readonly unit: Unit;
  readonly per: Counter["per"];
  readonly owner: Owner;
  readonly user: string | null; // null for a counter of all users, "" for a user without a name
  readonly action: string;
  readonly spent: number; // like `limit`, in tokens, calls or dollars
  readonly held: number;
  readonly left: number;
  readonly refills_at: string; // when the counter is back at zero: ISO 8601, UTC
};

/** `names` maps the `server` in a counter key to that server's name in records. */
export function describeCounter(
  stored: StoredCounter,
  nowMs: number,
  names: ReadonlyMap<string, string> = new Map(),
): CounterStatus | undefined {
  const identity = parseKey(stored.key);
  const per = periods.find((period) => period === stored.per);
  if (!identity || per === undefined || per === "call" || per === "session") return undefined;
  if (!actionName.test(stored.action)) return undefined;
  // The stored window may begin after `nowMs`, because clocks differ.
  const isCurrent = stored.window >= computeWindow(per, nowMs);
  const [spent, held] = isCurrent ? [stored.spent, stored.held] : [0, 0];
  const { unit, server: serverInKey } = identity;
  const show = (amount: number): number => toShownAmount(unit, amount);
  const left = show(Math.max(0, stored.limit - spent - held));
  const refillsAt = new Date(computeRefill(per, nowMs)).toISOString();
  const server = serverInKey === null ? null : (names.get(serverInKey) ?? serverInKey);
  const amounts = { limit: show(stored.limit), spent: show(spent), held: show(held), left };
  const { action } = stored;
  return { ...identity, server, per, action, ...amounts, refills_at: refillsAt };
}

export function toShownAmount(unit: Unit, amount: number): number {
  return unit === "dollars" ? amount / nanodollarsPerDollar : amount;
}

const actionName = /^[a-z]{1,16}$/;

type CounterIdentity = {
  readonly server: string | null;
  readonly tool: string | null;
  readonly budget: Pick<Budget, "tool" | "unit" | "per" | "owner">;
  readonly rank: number; // among the budgets that differ only in limit or action
  readonly user: string;
};

/** Everyone who uses the same store and key shares the counter. */
export function makeCounterKey({ server, tool, budget, rank, user }: CounterIdentity): string {
  const { tool: pattern, unit, per, owner } = budget;
  const parts = [server, tool, pattern, unit, per, rank];
  return JSON.stringify(owner === "user" ? [...parts, user] : parts);
}

function parseKey(
  key: string,
): Pick<CounterStatus, "server" | "tool" | "pattern" | "unit" | "owner" | "user"> | undefined {
  const parts = tryParseJson(key);
  if (!Array.isArray(parts)) return undefined;
  const [server, tool, pattern, unit, , rank, user]: readonly unknown[] = parts;
  if ((server !== null && typeof server !== "string") || typeof rank !== "number") return undefined;
  if (unit !== "tokens" && unit !== "calls" && unit !== "dollars") return undefined;
  const owner = typeof user === "string" ? "user" : "fleet";
  const names = { tool: toTextOrNull(tool), pattern: toTextOrNull(pattern) };
  return { server, ...names, unit, owner, user: toTextOrNull(user) };
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
