import { periods, type Unit } from "./budget.ts";
import { refillAt, windowAt, type Counter } from "./counter.ts";

export type StoredCounter = {
  readonly key: string;
  readonly per: string;
  readonly limit: number;
  readonly window: number;
  readonly spent: number;
  readonly held: number;
};

export type CounterStatus = {
  /** Null for all servers together. */
  readonly server: string | null;
  readonly tool: string | null;
  /** Tools the budget is written for; null for the server as a whole. */
  readonly pattern: string | null;
  readonly limit: number;
  readonly unit: Unit;
  readonly per: Counter["per"];
  readonly action: string;
  readonly spent: number;
  readonly held: number;
  readonly left: number;
  /** When it is full again: ISO 8601, UTC. */
  readonly refills_at: string;
};

/** A counter is full again once its window has passed. `names` are those of servers in records, by the owner of their counters. Undefined for a foreign key. */
export function counterStatus(
  stored: StoredCounter,
  nowMs: number,
  names: ReadonlyMap<string, string> = new Map(),
): CounterStatus | undefined {
  const named = parseKey(stored.key);
  const per = periods.find((period) => period === stored.per);
  if (!named || per === undefined || per === "call" || per === "session") return undefined;
  // A clock that runs ahead of this one has begun the next window already.
  const isCurrent = stored.window >= windowAt(per, nowMs);
  const [spent, held] = isCurrent ? [stored.spent, stored.held] : [0, 0];
  const left = Math.max(0, stored.limit - spent - held);
  const refillsAt = new Date(refillAt(per, nowMs)).toISOString();
  const server = named.server === null ? null : (names.get(named.server) ?? named.server);
  return { ...named, server, limit: stored.limit, per, spent, held, left, refills_at: refillsAt };
}

function parseKey(
  key: string,
): Pick<CounterStatus, "server" | "tool" | "pattern" | "unit" | "action"> | undefined {
  let parts: unknown;
  try {
    parts = JSON.parse(key);
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts)) return undefined;
  const [server, tool, pattern, unit, , action]: readonly unknown[] = parts;
  if ((server !== null && typeof server !== "string") || typeof action !== "string")
    return undefined;
  if (unit !== "tokens" && unit !== "calls") return undefined;
  return { server, tool: textOrNull(tool), pattern: textOrNull(pattern), unit, action };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
