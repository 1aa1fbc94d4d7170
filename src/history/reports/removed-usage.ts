import type { RemovedSummary } from "./usage-report.ts";
import { formatDay, parseDay, type TimeZone } from "./calendar.ts";
import type { TimeRange } from "./time-range.ts";
import type { UsageFact } from "./usage-cube.ts";
import { pickLessCertain, type SummaryEstimation } from "#records/summary.ts";
import { listMethod } from "./call-kinds.ts";
import { addSums, makeSums, type Sums } from "./usage-sums.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

type RemovedTotals = {
  readonly zone: TimeZone;
  readonly totals: readonly DayTotal[];
};

export type TotalsPlan = {
  readonly ranges: readonly TimeRange[];
  readonly zone: TimeZone;
  readonly nowMs: number;
  // True for analyses, such as advice, and for reports by session, hour or confidence: daily totals lack the details.
  readonly needsRecords: boolean;
};

export type RemovedUsage = {
  readonly facts: readonly UsageFact[];
  readonly daysLeftOut: number;
};

type CountedDay = { readonly day: number; readonly range: number };

// Day totals lack the times of calls. So a day counts only in a range that contains the whole day.
export function makeRemovedUsage({ zone, totals }: RemovedTotals, plan: TotalsPlan): RemovedUsage {
  const days = new Map<string, CountedDay | "outside" | "left_out">();
  const facts = totals.flatMap((total): UsageFact[] => {
    const day = days.getOrInsertComputed(total.day, () => classifyDay(total.day, zone, plan));
    return typeof day === "string" ? [] : [makeFact(total, day)];
  });
  const leftOut = [...days.values()].filter((day) => day === "left_out");
  return { facts, daysLeftOut: leftOut.length };
}

function classifyDay(
  dayText: string,
  totalsZone: TimeZone,
  { ranges, zone, nowMs, needsRecords }: TotalsPlan,
): CountedDay | "outside" | "left_out" {
  const day = parseDay(dayText);
  if (day === undefined) return "outside";
  const fromMs = totalsZone.findDayStart(day);
  const endMs = totalsZone.findDayStart(day + 1);
  // Today is treated as a day that ends now, because it has no later calls.
  const toMs = fromMs <= nowMs ? Math.min(endMs, nowMs + 1) : endMs;
  const overlaps = ranges.some((range) => range.fromMs < toMs && fromMs < range.toMs);
  if (!overlaps) return "outside";
  const range = ranges.findIndex(
    (candidate) => candidate.fromMs <= fromMs && toMs <= candidate.toMs,
  );
  if (range < 0 || needsRecords) return "left_out";
  return { day: zone.findDay((fromMs + endMs) / 2), range };
}

function makeFact(total: DayTotal, { day, range }: CountedDay): UsageFact {
  const { server, method, tool, client, model, estimation, sessions, sums } = total;
  const times = { beganMs: 0, lastMs: 0, beganLocal: "" };
  const unknown = { machine: null, user: null };
  const session = { id: "", ...times, client, model, ...unknown, estimation };
  return { session, range, day, server, method, tool, model, sums, removedSessions: sessions };
}

export function summarizeRemoved(
  facts: readonly UsageFact[],
  daysLeftOut: number,
): RemovedSummary | undefined {
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
    first: hasDays ? formatDay(first) : null,
    last: hasDays ? formatDay(last) : null,
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

export function makeDayTotals(facts: readonly UsageFact[]): readonly DayTotal[] {
  const seenTools = new Map<string, Set<string>>();
  return mergeTotals(facts.map((fact) => capTools(makeTotal(fact), seenTools)));
}

function capTools(total: DayTotal, seenTools: Map<string, Set<string>>): DayTotal {
  const { day, server, tool } = total;
  if (tool === null) return total;
  const key = `${day}\n${server}`;
  const tools = seenTools.getOrInsertComputed(key, () => new Set());
  if (tools.has(tool) || tools.size < toolRowsMax) {
    tools.add(tool);
    return total;
  }
  return { ...total, tool: "(other)" };
}

export function mergeTotals(totals: readonly DayTotal[]): readonly DayTotal[] {
  const merged = new Map<string, DayTotal>();
  for (const total of totals) {
    const key = makeKey(total);
    const known = merged.get(key);
    merged.set(key, known ? addTotals(known, total) : total);
  }
  return [...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, total]) => total);
}

function makeTotal({ session, day, server, method, tool, model, sums }: UsageFact): DayTotal {
  const { client, estimation } = session;
  // A `tools/list` fact without definitions stands for one session.
  const isSession = method === listMethod && sums.definition_lists === 0;
  const sessions = isSession ? 1 : 0;
  return { day: formatDay(day), server, method, tool, client, model, estimation, sessions, sums };
}

function makeKey({ day, server, method, tool, client, model, estimation }: DayTotal): string {
  const { estimator = null, is_estimated: isEstimated = true } = estimation ?? {};
  return JSON.stringify([day, server, method, tool, client, model, estimator, isEstimated]);
}

function addTotals(a: DayTotal, b: DayTotal): DayTotal {
  const sums = makeSums();
  for (const { sums: totalSums } of [a, b]) addSums(sums, totalSums);
  const estimation = pickLessCertain(a.estimation, b.estimation);
  return { ...a, estimation, sessions: a.sessions + b.sessions, sums };
}
