import type { Axis, RowKeys, LoggedMeasures, Measures, RentMeasures } from "./usage-report.ts";
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

const definitionsLabel = "(definitions)";

export const rowKeyMakers: { readonly [axis in Axis]: (fact: UsageFact) => RowKeys } = {
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

// An id is faster to make than the keys, which are made only once per row.
export const rowIdMakers: { readonly [axis in Axis]: (fact: UsageFact) => string | number | null } =
  {
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

/**
 * Needs the facts of a session one after the other. A session whose records were removed counts only
 * in the row of the day it began.
 */
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

  /** True if the row has nothing but rent: no session, call or definition list in the period. */
  get isOnlyResent(): boolean {
    const isUnused = this.#sessions === 0 && this.#sums.calls === 0 && this.contextTokens === 0;
    return this.#rent !== undefined && isUnused;
  }

  get contextTokens(): number {
    return sumContextTokens(this.#sums);
  }

  /** The upper end of the cost; 0 if unknown. */
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
