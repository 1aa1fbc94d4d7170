import {
  type Axis,
  isTimeAxis,
  type LoggedMeasures,
  type Measures,
  type RentMeasures,
  type RowKeys,
  type UsageRow,
  type UsageTable,
} from "./usage-report.ts";
import { formatDay, formatMonth, findWeekStart } from "./calendar.ts";
import { listMethod } from "./call-kinds.ts";
import type { UsageFact } from "./usage-cube.ts";
import type { Confidence } from "#tokens/cost/estimator.ts";
import { addCosts, addRewriteDollars, type CostRange, noCost } from "#records/money/price-book.ts";
import { toDollars } from "#records/money/turns/turn.ts";
import {
  addLoggedTotals,
  type LoggedTotals,
  noLoggedTotals,
  addRents,
  type RentTotals,
} from "./imported/logged-totals.ts";
import { addSums, sumCallTokens, sumContextTokens, makeSums, type Sums } from "./usage-sums.ts";

export type TablePlan = RowChoice & { readonly by: readonly Axis[] };

type RowChoice = {
  readonly order: "asc" | "desc" | undefined;
  readonly top: number | undefined;
};

type RowFacts = {
  readonly keys: RowKeys;
  readonly sortKey: string;
  readonly facts: UsageFact[];
  readonly group: RowGroup;
};

export function makeTable(
  facts: readonly UsageFact[],
  allTokens: number,
  { by, ...choice }: TablePlan & Pick<RowOrder, "sortsByCost" | "showsResent">,
): UsageTable {
  const rowOrder = { ...choice, hasTime: by.some(isTimeAxis) };
  const [first, second] = by;
  if (first === undefined) return { by, rows: [] };
  if (second === undefined) return { by, rows: makeRows(first, facts, allTokens, rowOrder) };
  const rows = sortRows(splitByAxis(first, facts, rowOrder), first, rowOrder).flatMap(
    ({ keys, facts: groupFacts }) =>
      makeRows(second, groupFacts, allTokens, rowOrder).map((row) => ({ ...keys, ...row })),
  );
  return { by, rows };
}

type RowOrder = RowChoice & {
  readonly hasTime: boolean;
  readonly sortsByCost: boolean;
  readonly showsResent: boolean;
};

function makeRows(
  axis: Axis,
  facts: readonly UsageFact[],
  allTokens: number,
  choice: RowOrder,
): readonly UsageRow[] {
  const largest = splitByAxis(axis, facts, choice).toSorted(makeSizeComparer(choice));
  // Leaving out a single row saves no space, because the row that sums up the rest takes its place.
  const showsAll = largest.length - 1 <= (choice.top ?? Infinity);
  const shown = showsAll ? largest : largest.slice(0, choice.top);
  const others = largest.slice(shown.length);
  return [
    ...sortRows(shown, axis, choice).map(({ keys, group }) => ({
      ...keys,
      ...group.measure(allTokens),
    })),
    ...(others.length === 0 ? [] : [sumOthers(others, facts, allTokens)]),
  ];
}

function sumOthers(
  others: readonly RowFacts[],
  facts: readonly UsageFact[],
  allTokens: number,
): UsageRow {
  const hidden = new Set(others.flatMap((row) => row.facts));
  const group = new RowGroup();
  // Keeps the order of `facts`, because RowGroup needs the facts of a session to be consecutive.
  for (const fact of facts) if (hidden.has(fact)) group.add(fact);
  return { more: others.length, ...group.measure(allTokens) };
}

function splitByAxis(
  axis: Axis,
  facts: readonly UsageFact[],
  { showsResent }: Pick<RowOrder, "showsResent">,
): RowFacts[] {
  const rows = new Map<string | number | null, RowFacts>();
  for (const fact of facts) {
    const id = rowIdMakers[axis](fact);
    const row = rows.get(id) ?? makeRow(axis, fact);
    rows.set(id, row);
    row.facts.push(fact);
    row.group.add(fact);
  }
  return [...rows.values()].filter(
    ({ group }) => (axis !== "tool" || !group.isEmpty) && (showsResent || !group.isOnlyResent),
  );
}

function makeRow(axis: Axis, fact: UsageFact): RowFacts {
  const keys = rowKeyMakers[axis](fact);
  return { keys, sortKey: JSON.stringify(keys), facts: [], group: new RowGroup() };
}

function sortRows(rows: readonly RowFacts[], axis: Axis, choice: RowOrder): RowFacts[] {
  const { order, hasTime } = choice;
  if (isTimeAxis(axis)) {
    const ascending = rows.toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1));
    return order === "desc" ? ascending.toReversed() : ascending;
  }
  const descending = rows.toSorted(makeSizeComparer(choice));
  return order === "asc" && !hasTime ? descending.toReversed() : descending;
}

// Ties are sorted by key, so that the result does not depend on the order of the record files.
function makeSizeComparer({ sortsByCost }: Pick<RowOrder, "sortsByCost">) {
  return (a: RowFacts, b: RowFacts): number =>
    (sortsByCost ? b.group.dollars - a.group.dollars : 0) ||
    b.group.contextTokens - a.group.contextTokens ||
    (a.sortKey < b.sortKey ? -1 : 1);
}

const definitionsLabel = "(definitions)";

const rowKeyMakers: { readonly [axis in Axis]: (fact: UsageFact) => RowKeys } = {
  day: ({ day }) => ({ day: formatDay(day) }),
  week: ({ day }) => ({ week: formatDay(findWeekStart(day)) }),
  month: ({ day }) => ({ month: formatMonth(day) }),
  session: ({ session, server }) => ({
    session_id: session.id,
    began: new Date(session.beganMs).toISOString(),
    began_local: session.beganLocal,
    duration_ms: Math.max(0, session.lastMs - session.beganMs),
    server,
    client: session.client,
  }),
  server: ({ server }) => ({ server }),
  tool: ({ server, method, tool }) => ({ server, method, tool: describeTool(method, tool) }),
  model: ({ model }) => ({ model }),
  client: ({ session }) => ({ client: session.client }),
  machine: ({ session }) => ({ machine: session.machine }),
  user: ({ session }) => ({ user: session.user }),
  estimator: ({ session }) => ({ estimator: session.estimation?.estimator ?? null }),
  hour: ({ hour }) => ({ hour: hour === undefined ? null : `${String(hour).padStart(2, "0")}:00` }),
  agent: ({ agent = null }) => ({ agent }),
  project: ({ project = null }) => ({ project }),
  confidence: (fact) => ({ confidence: findConfidence(fact) }),
};

function findConfidence({ confidence, session }: UsageFact): Confidence | null {
  return confidence ?? session.estimation?.confidence ?? null;
}

// Facts are grouped into rows by id, because an id is faster to make than keys. Keys are made only once per row.
const rowIdMakers: { readonly [axis in Axis]: (fact: UsageFact) => string | number | null } = {
  day: ({ day }) => day,
  week: ({ day }) => findWeekStart(day),
  month: ({ day }) => formatMonth(day),
  session: ({ session, server }) => `${session.id.length} ${session.id}${server}`,
  server: ({ server }) => server,
  tool: ({ server, method, tool }) =>
    `${server.length} ${method.length} ${server}${method}${describeTool(method, tool)}`,
  model: ({ model }) => model,
  client: ({ session }) => session.client,
  machine: ({ session }) => session.machine,
  user: ({ session }) => session.user,
  estimator: ({ session }) => session.estimation?.estimator ?? null,
  hour: ({ hour = null }) => hour,
  agent: ({ agent = null }) => agent,
  project: ({ project = null }) => project,
  confidence: findConfidence,
};

export function describeTool(method: string, tool: string | null): string {
  return method === listMethod ? definitionsLabel : (tool ?? `(${method})`);
}

/** Needs the facts of a session to be consecutive. */
export class RowGroup {
  readonly #sums: Sums = makeSums();
  #sessions = 0;
  #lastSession: string | undefined;
  #logged: LoggedTotals | undefined;
  #rent: RentTotals | undefined;
  #cost: CostRange | null | undefined;
  #rewrite: Pick<Measures, "rewrite_usd"> = {};

  add({ session, sums, cost, rewriteUsd, logged, rent, removedSessions }: UsageFact): void {
    if (rent) {
      this.#rent = this.#rent ? addRents(this.#rent, rent) : rent;
      return;
    }
    if (logged) this.#logged = addLoggedTotals(this.#logged ?? noLoggedTotals, logged);
    if (cost !== undefined)
      this.#cost = cost ? addCosts(this.#cost ?? noCost, cost) : (this.#cost ?? null);
    this.#rewrite = addRewriteDollars(this.#rewrite.rewrite_usd, rewriteUsd);
    addSums(this.#sums, sums);
    // Facts about removed records have no session id, only the number of sessions.
    if (removedSessions !== undefined) {
      this.#sessions += removedSessions;
      return;
    }
    if (session.id !== this.#lastSession) this.#sessions += 1;
    this.#lastSession = session.id;
  }

  get isEmpty(): boolean {
    return this.#sums.calls === 0 && this.#sums.definition_lists === 0 && !this.#rent;
  }

  /** True if the group has only definitions that clients sent to the model again. */
  get isOnlyResent(): boolean {
    const isUnused = this.#sessions === 0 && this.#sums.calls === 0 && this.contextTokens === 0;
    return this.#rent !== undefined && isUnused;
  }

  get contextTokens(): number {
    return sumContextTokens(this.#sums);
  }

  get dollars(): number {
    return this.#cost?.high ?? 0;
  }

  measure(allTokens: number): Measures {
    const tokens = this.contextTokens;
    return {
      sessions: this.#sessions,
      ...this.#sums,
      total_tokens: sumCallTokens(this.#sums),
      context_tokens: tokens,
      share: allTokens === 0 ? 0 : tokens / allTokens,
      ...(this.#logged && measureLogged(this.#logged)),
      ...(this.#rent && measureRent(this.#rent)),
      ...(this.#cost === undefined ? {} : { cost_usd: this.#cost }),
      ...this.#rewrite,
    };
  }
}

function measureLogged(logged: LoggedTotals): LoggedMeasures {
  return {
    imported_calls: logged.importedCalls,
    paired_calls: logged.pairedCalls,
    carried_tokens: logged.carriedTokens,
    rereads: logged.rereads,
  };
}

export function measureRent({
  requests,
  unknownRequests,
  tokens,
  nanoDollars,
}: RentTotals): RentMeasures {
  const dollars = nanoDollars === null || nanoDollars === undefined ? null : toDollars(nanoDollars);
  return {
    rent_requests: requests,
    rent_unknown_requests: unknownRequests,
    rent_tokens: requests === unknownRequests ? null : tokens,
    ...(nanoDollars === undefined ? {} : { rent_usd: dollars }),
  };
}
