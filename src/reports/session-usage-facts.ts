import { listMethod } from "./call-kinds.ts";
import { definitionTokens, type SessionFacts, type SessionState } from "./session-state.ts";
import { noSums, type Sums } from "./sums.ts";
import { rangeAt, type TimeRange } from "./time-range.ts";
import type { TimeZone } from "./time-zone.ts";
import type { UsageFact } from "./usage-fact.ts";

export type ReportPeriods = { readonly ranges: readonly TimeRange[]; readonly zone: TimeZone };

export function usageFactsOf(state: SessionState, { ranges, zone }: ReportPeriods): UsageFact[] {
  const session = state.factsIn(zone);
  const listFact = (server: string, ms: number): Omit<UsageFact, "sums"> | undefined => {
    const range = rangeAt(ranges, ms);
    if (range < 0) return undefined;
    const { model } = session;
    return { session, range, day: zone.dayOf(ms), server, method: listMethod, tool: null, model };
  };
  return [
    ...callFacts(state, session),
    ...definitionFacts(state, listFact),
    ...presence(state, session, listFact),
  ];
}

function callFacts({ cells }: SessionState, session: SessionFacts): UsageFact[] {
  return [...cells.values()].map(
    ({ range, day, sums, kind: { server, method, tool, model } }): UsageFact => ({
      session,
      range,
      day,
      server,
      method,
      tool,
      model: model ?? session.model,
      sums,
    }),
  );
}

type ListFact = (server: string, ms: number) => Omit<UsageFact, "sums"> | undefined;

function definitionFacts(state: SessionState, listFact: ListFact): UsageFact[] {
  return [...state.definitions].flatMap(([server, definitions]) => {
    const fact = listFact(server, definitions.ms);
    if (!fact) return [];
    const called = calledTools(state, server, fact.range);
    const sums: Sums = { ...noSums(), ...definitionTokens(definitions, called) };
    const { list } = definitions;
    return [{ ...fact, sums, ...(list ? { list } : {}) }];
  });
}

/** A session counts from its beginning, with or without calls. */
function presence(state: SessionState, session: SessionFacts, listFact: ListFact): UsageFact[] {
  const { server } = state;
  const fact = server === undefined ? undefined : listFact(server, session.beganMs);
  return fact ? [{ ...fact, sums: noSums() }] : [];
}

function calledTools(state: SessionState, server: string, range: number): ReadonlySet<string> {
  const names = [...state.cells.values()].flatMap(({ kind, ...cell }) =>
    kind.server === server && cell.range === range && kind.method === "tools/call"
      ? [kind.tool]
      : [],
  );
  return new Set(names.filter((name) => name !== null));
}
