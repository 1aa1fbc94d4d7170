import { tryParseJson } from "#kit/errors.ts";
import { periods, type Unit } from "./budget.ts";
import { type CounterPeriod, computeRefill, computeWindow } from "./windows.ts";

export type Counter = {
  readonly key: string; // of server, tool and budget; processes with the same key share the counter
  readonly per: CounterPeriod;
  readonly limit: number;
};

export type Hold = {
  readonly counter: Counter;
  window: number;
  amount: number;
  isSpent: boolean;
  readonly id: number;
};

export type Resizing = { readonly isForced: boolean; readonly isSpent: boolean };

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
  readonly isReachable: boolean; // false if the store is not, and its policy then refuses calls
};

export function makeStanding(spent: number, held: number): Standing {
  return { spent, held, taken: spent + held, isReachable: true };
}

/** Spent and held amounts never exceed a limit, unless forced. Times are wall-clock ms. */
export type CounterStore = {
  hold(counter: Counter, amount: number, nowMs: number, isForced: boolean): Hold | undefined;
  // Also moves the hold to the current window. False without room: then nothing changes.
  resize(hold: Hold, amount: number, nowMs: number, resizing: Resizing): boolean;
  // Spends `amount` in the hold's window. Settling again corrects the amount.
  settle(hold: Hold, amount: number): void;
  release(hold: Hold): void;
  standing(counter: Counter, nowMs: number): Standing;
  // Only for stores whose `standing` reads a file: the amounts of the last transaction, without reading again.
  readonly lastStanding?: (counter: Counter, nowMs: number) => Standing;
  // Only for stores that cannot answer at once: `hold` grants only amounts requested here.
  readonly ask?: (need: Need, nowMs: number) => boolean;
};

export type StoredCounter = {
  readonly key: string;
  readonly per: string;
  readonly limit: number;
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
  readonly action: string;
  readonly spent: number;
  readonly held: number;
  readonly left: number;
  readonly refills_at: string; // when the counter is empty again: ISO 8601, UTC
};

/** `names` maps counter owners to the names of servers in records. Undefined for a foreign key. */
export function describeCounter(
  stored: StoredCounter,
  nowMs: number,
  names: ReadonlyMap<string, string> = new Map(),
): CounterStatus | undefined {
  const named = parseKey(stored.key);
  const per = periods.find((period) => period === stored.per);
  if (!named || per === undefined || per === "call" || per === "session") return undefined;
  // If the stored window is ahead, another clock has already begun it.
  const isCurrent = stored.window >= computeWindow(per, nowMs);
  const [spent, held] = isCurrent ? [stored.spent, stored.held] : [0, 0];
  const left = Math.max(0, stored.limit - spent - held);
  const refillsAt = new Date(computeRefill(per, nowMs)).toISOString();
  const server = named.server === null ? null : (names.get(named.server) ?? named.server);
  return { ...named, server, limit: stored.limit, per, spent, held, left, refills_at: refillsAt };
}

function parseKey(
  key: string,
): Pick<CounterStatus, "server" | "tool" | "pattern" | "unit" | "action"> | undefined {
  const parts = tryParseJson(key);
  if (!Array.isArray(parts)) return undefined;
  const [server, tool, pattern, unit, , action]: readonly unknown[] = parts;
  if ((server !== null && typeof server !== "string") || typeof action !== "string")
    return undefined;
  if (unit !== "tokens" && unit !== "calls") return undefined;
  return { server, tool: toTextOrNull(tool), pattern: toTextOrNull(pattern), unit, action };
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
