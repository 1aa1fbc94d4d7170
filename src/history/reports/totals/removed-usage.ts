import { dayText, parseDay, type TimeRange, type TimeZone } from "../calendar.ts";
import type { UsageFact } from "../usage-fact.ts";
import { toolRowsMax } from "#kit/limits.ts";
import { lessCertain } from "#records/certainty.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { listMethod } from "../call-kinds.ts";
import { addSums, noSums, type Sums } from "../sums.ts";

type RemovedTotals = {
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

export type DayTotal = {
  readonly day: string;
  readonly server: string;
  readonly method: string;
  readonly tool: string | null;
  readonly client: string | null;
  readonly model: string | null;
  readonly estimation: SummaryEstimation | null;
  readonly sessions: number;
  readonly sums: Readonly<Sums>;
};

export function dayTotals(facts: readonly UsageFact[]): readonly DayTotal[] {
  const known = new Map<string, Set<string>>();
  return mergeTotals(facts.map((fact) => withFewTools(totalOf(fact), known)));
}

/** Tools beyond `toolRowsMax` per server and day share the name `(other)`: a server chooses their names. */
function withFewTools(total: DayTotal, known: Map<string, Set<string>>): DayTotal {
  const { day, server, tool } = total;
  if (tool === null) return total;
  const key = `${day}\n${server}`;
  const tools = known.get(key) ?? new Set();
  known.set(key, tools);
  if (tools.has(tool) || tools.size < toolRowsMax) {
    tools.add(tool);
    return total;
  }
  return { ...total, tool: "(other)" };
}

export function mergeTotals(totals: readonly DayTotal[]): readonly DayTotal[] {
  const merged = new Map<string, DayTotal>();
  for (const total of totals) {
    const key = keyOf(total);
    const known = merged.get(key);
    merged.set(key, known ? sumOf(known, total) : total);
  }
  return [...merged].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, total]) => total);
}

function totalOf({ session, day, server, method, tool, model, sums }: UsageFact): DayTotal {
  const { client, estimation } = session;
  // A session has a fact of its own without any number.
  const isSession = method === listMethod && sums.definition_lists === 0;
  const sessions = isSession ? 1 : 0;
  return { day: dayText(day), server, method, tool, client, model, estimation, sessions, sums };
}

function keyOf({ day, server, method, tool, client, model, estimation }: DayTotal): string {
  const { estimator = null, is_estimated: isEstimated = true } = estimation ?? {};
  return JSON.stringify([day, server, method, tool, client, model, estimator, isEstimated]);
}

function sumOf(one: DayTotal, other: DayTotal): DayTotal {
  const sums = noSums();
  for (const { sums: more } of [one, other]) addSums(sums, more);
  const estimation = lessCertain(one.estimation, other.estimation);
  return { ...one, estimation, sessions: one.sessions + other.sessions, sums };
}
