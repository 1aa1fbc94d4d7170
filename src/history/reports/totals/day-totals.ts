import { toolRowsMax } from "#kit/limits.ts";
import { lessCertain } from "#records/certainty.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { dayText } from "../calendar.ts";
import { listMethod } from "../call-kinds.ts";
import { addSums, noSums, type Sums } from "../sums.ts";
import type { UsageFact } from "../usage-fact.ts";

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
