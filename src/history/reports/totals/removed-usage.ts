import { dayText, parseDay, type TimeRange, type TimeZone } from "../calendar.ts";
import type { UsageFact } from "../usage-fact.ts";
import type { DayTotal } from "./day-totals.ts";

export type RemovedTotals = {
  readonly zone: TimeZone;
  readonly totals: readonly DayTotal[];
};

export type TotalsPlan = {
  readonly ranges: readonly TimeRange[];
  readonly zone: TimeZone;
  readonly nowMs: number;
  /** Totals have no single sessions. */
  readonly isBySession: boolean;
};

export type RemovedUsage = {
  readonly facts: readonly UsageFact[];
  readonly daysLeftOut: number;
};

type PlacedDay = { readonly day: number; readonly range: number };

/** A day counts in the period that has all of it: its calls may have been at any time. */
export function removedUsage({ zone, totals }: RemovedTotals, plan: TotalsPlan): RemovedUsage {
  const places = new Map<string, PlacedDay | "outside" | "divided">();
  const facts = totals.flatMap((total): UsageFact[] => {
    const place = places.get(total.day) ?? placeOf(total.day, zone, plan);
    places.set(total.day, place);
    return typeof place === "string" ? [] : [factOf(total, place)];
  });
  const divided = [...places.values()].filter((place) => place === "divided");
  return { facts, daysLeftOut: divided.length };
}

function placeOf(
  text: string,
  zoneOfDays: TimeZone,
  { ranges, zone, nowMs, isBySession }: TotalsPlan,
): PlacedDay | "outside" | "divided" {
  const day = parseDay(text);
  if (day === undefined) return "outside";
  const fromMs = zoneOfDays.startOf(day);
  const endMs = zoneOfDays.startOf(day + 1);
  // Of today, totals have only the past.
  const toMs = fromMs <= nowMs ? Math.min(endMs, nowMs + 1) : endMs;
  const touched = ranges.some((range) => range.fromMs < toMs && fromMs < range.toMs);
  if (!touched) return "outside";
  const range = ranges.findIndex((one) => one.fromMs <= fromMs && toMs <= one.toMs);
  if (range < 0 || isBySession) return "divided";
  return { day: zone.dayOf((fromMs + endMs) / 2), range };
}

function factOf(total: DayTotal, { day, range }: PlacedDay): UsageFact {
  const { server, method, tool, client, model, estimation, sessions, sums } = total;
  const session = { id: "", beganMs: 0, beganLocal: "", client, model, machine: null, estimation };
  return { session, range, day, server, method, tool, model, sums, removedSessions: sessions };
}

export type RemovedPart = {
  readonly first: string | null;
  readonly last: string | null;
  readonly sessions: number;
  readonly days_left_out: number;
};

export function removedPart(
  facts: readonly UsageFact[],
  daysLeftOut: number,
): RemovedPart | undefined {
  let [first, last, sessions] = [Infinity, -Infinity, 0];
  for (const { day, removedSessions } of facts) {
    if (removedSessions === undefined) continue;
    first = Math.min(first, day);
    last = Math.max(last, day);
    sessions += removedSessions;
  }
  const hasDays = first <= last;
  if (!hasDays && daysLeftOut === 0) return undefined;
  return {
    first: hasDays ? dayText(first) : null,
    last: hasDays ? dayText(last) : null,
    sessions,
    days_left_out: daysLeftOut,
  };
}
