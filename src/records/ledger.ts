import { sumBy } from "#kit/text/numbers.ts";
import { setBounded } from "#kit/limits.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { defaultWindowTokens } from "#tokens/cost/models.ts";
import { findDefaultModel } from "#tokens/cost/client-models.ts";
import { addRewriteDollars, type CostRange, type PriceBook } from "./money/price-book.ts";
import { CallCosts } from "./call-costs.ts";
import {
  readEstimation,
  pickLessCertain,
  type Summary,
  type AlertSummary,
  type BudgetSum,
  type ListChangeSum,
} from "./summary.ts";
import {
  isReordered,
  mergeDefinitions,
  sumDefinitions,
  calledToolsMax,
  makeCalledToolKey,
  sumUnusedTools,
} from "./definition-summary.ts";
import {
  type CallRecord,
  type DefinitionsRecord,
  type EndRecord,
  type FaultRecord,
  type MeterRecord,
  type ProtocolRecord,
  type SessionRecord,
  type ListChange,
  type BreachRecord,
  hideRule,
  validMessagesRule,
  type AlertRecord,
  type BudgetState,
} from "./record.ts";
import { isWithheld, RepeatedCalls, ToolRows, toolRowsMax } from "./tool-rows.ts";

export const reportEstimatorsMax = 50;

// Beyond this number, `Ledgers` forgets the estimator of the oldest session. Later records of that session are added to
// the ledger of `unknownEstimator`.
export const reportSessionsMax = 100_000;

export const reportServersMax = 1_000;

// Limits the session and end records that a ledger keeps: one run of `serve` may have more sessions.
const summarySessionsMax = 10_000;

export class AlertCounts {
  readonly #alerts = new Map<string, AlertSummary>();

  add({ alert, tool, value, detail }: AlertRecord): void {
    const key = `${alert}\n${tool ?? ""}`;
    const known = this.#alerts.get(key);
    if (!known && this.#alerts.size >= toolRowsMax) return;
    const highest = known && known.value > value ? known : { alert, tool, value, detail };
    this.#alerts.set(key, { ...highest, count: (known?.count ?? 0) + 1 });
  }

  summarize(): AlertSummary[] {
    return [...this.#alerts.values()];
  }
}

export class Ledger {
  readonly #costs: CallCosts | undefined;
  readonly #servers = new Set<string>();
  // The newest session record of each session: a client may send its name late.
  readonly #sessions = new Map<string, SessionRecord>();
  readonly #definitions = new Map<string, DefinitionsRecord>();
  readonly #calledTools = new Set<string>();
  // Saves a lookup: consecutive calls often use the same tool.
  #lastCall: CallRecord | undefined;
  readonly #tools = new ToolRows();
  readonly #repeats = new RepeatedCalls();
  readonly #alerts = new AlertCounts();
  // The newest end record of each session: earlier ones are written at checkpoints.
  readonly #ends = new Map<string, EndRecord>();
  readonly #protocol = { messages: 0, bytes: 0, tokens: 0 };
  readonly #view = { calls: 0, bytes: 0 };
  #listChanges: ListChangeSum | undefined;
  readonly #counts = {
    session: 0,
    breach: 0,
    hidden: 0,
    enforced: 0,
    fault: 0,
    reordered: 0,
  };
  readonly #uncertain = {
    truncated_calls: 0,
    scripted_answers: 0,
    assumed_tokens: 0,
    unclear_messages: 0,
    unjudged_bytes: 0,
  };

  constructor(prices?: PriceBook) {
    this.#costs = prices && new CallCosts(prices);
  }

  add(record: MeterRecord): void {
    if (this.#servers.size < reportServersMax) this.#servers.add(record.server);
    switch (record.type) {
      case "session":
        return this.#addSession(record);
      case "definitions":
        return this.#addDefinitions(record);
      case "call":
        return this.#addCall(record);
      case "protocol":
        return this.#addProtocol(record);
      case "breach":
        return this.#addBreach(record);
      case "alert":
        return this.#alerts.add(record);
      case "fault":
        return this.#addFault(record);
      case "end":
        return this.#addEnd(record);
    }
  }

  summarize(): Summary {
    const sessions = [...this.#sessions.values()];
    const { model = null, window = defaultWindowTokens } = sessions.at(-1) ?? {};
    const definitions = [...this.#definitions.values()];
    const ends = [...this.#ends.values()];
    const sum = (pick: (end: EndRecord) => number): number => sumBy(ends, pick);
    return {
      sessions: this.#counts.session,
      servers: [...this.#servers],
      clients: [...new Set(sessions.flatMap((session) => session.client_name ?? []))],
      model,
      estimation: sessions.map(readEstimation).reduce(pickLessCertain, null),
      window,
      tools: this.#tools.summarize(),
      total: this.#tools.total,
      definitions: sumDefinitions(definitions, window, this.#calledTools, this.#counts.reordered),
      unused: sumUnusedTools(definitions, this.#calledTools),
      budgets: ends.flatMap((end) => end.budgets),
      ...(ends.length > 1 ? { budget_sums: sumBudgets(ends) } : {}),
      ...(this.#counts.hidden > 0 ? { hidden_calls: this.#counts.hidden } : {}),
      breaches: this.#counts.breach,
      enforced_breaches: this.#counts.enforced,
      alerts: this.#alerts.summarize(),
      repeats: this.#repeats.summarize(),
      ...(this.#listChanges ? { list_changes: this.#listChanges } : {}),
      duplicate_tokens: this.#tools.duplicateTokens,
      protocol: { ...this.#protocol },
      view: { ...this.#view },
      ...this.#uncertain,
      late_answers: sum((end) => end.late_answers),
      unknown_answers: sum((end) => end.unknown_answers),
      opaque_server_lines: sum((end) => end.opaque_server_lines),
      faults: this.#counts.fault,
      dropped_records: sum((end) => end.dropped_records),
      observer_faults: sum((end) => end.observer_faults),
      duration_ms: sum((end) => end.duration_ms),
      ...(this.#costs ? { cost: this.#costs.summarize() } : {}),
    };
  }

  #addFault({ bytes = 0 }: FaultRecord): void {
    this.#counts.fault += 1;
    this.#uncertain.unjudged_bytes += bytes;
  }

  #addDefinitions(record: DefinitionsRecord): void {
    const known = this.#definitions.get(record.server);
    if (known && isReordered(known, record)) this.#counts.reordered += 1;
    if (known) this.#definitions.set(record.server, mergeDefinitions(known, record));
    else if (this.#definitions.size < reportServersMax) {
      this.#definitions.set(record.server, record);
    }
  }

  #addBreach({ budget, is_enforced: isEnforced }: BreachRecord): void {
    this.#counts.breach += 1;
    if (budget === hideRule) this.#counts.hidden += 1;
    if (budget === validMessagesRule) this.#uncertain.unclear_messages += 1;
    if (isEnforced) this.#counts.enforced += 1;
  }

  #addSession(record: SessionRecord): void {
    const isKnown = this.#sessions.has(record.session_id);
    if (!isKnown) this.#counts.session += 1;
    if (isKnown || this.#sessions.size < summarySessionsMax) {
      this.#sessions.set(record.session_id, record);
    }
  }

  #addEnd(end: EndRecord): void {
    const known = this.#ends.get(end.session_id);
    const isNewer = known ? end.seq > known.seq : this.#ends.size < summarySessionsMax;
    if (isNewer) this.#ends.set(end.session_id, end);
  }

  #addCall(call: CallRecord): void {
    this.#tools.add(call, this.#costs && this.#priceCall(call, this.#costs));
    this.#repeats.add(call);
    if (call.list_change) this.#addListChange(call, call.list_change);
    if (call.truncated) this.#uncertain.truncated_calls += 1;
    if (call.visible === "unknown") this.#uncertain.scripted_answers += 1;
    this.#uncertain.assumed_tokens += (call.most_tokens ?? call.total_tokens) - call.total_tokens;
    if (!this.#lastCall || !isSameTool(call, this.#lastCall)) this.#addCalledTool(call);
    this.#lastCall = call;
  }

  #addListChange(call: CallRecord, { rewritten_tokens: tokens }: ListChange): void {
    const known = this.#listChanges ?? { changes: 0, rewritten_tokens: 0 };
    const dollars = this.#costs?.priceRewrite(tokens, this.#findModel(call).model, call.ts);
    this.#listChanges = {
      changes: known.changes + 1,
      rewritten_tokens: known.rewritten_tokens + tokens,
      ...addRewriteDollars(known.rewrite_usd, dollars),
    };
  }

  #priceCall(call: CallRecord, costs: CallCosts): CostRange | null {
    const didRun = call.outcome !== "refused" || isWithheld(call);
    return costs.addToolPrice(this.#priceTokens(call, costs), call, Number(didRun));
  }

  #priceTokens(call: CallRecord, costs: CallCosts): CostRange | null {
    const { model, client } = this.#findModel(call);
    const priced = { ...call, model, calls: 1 };
    return client === undefined ? costs.price(priced) : costs.priceByDefault(client, priced);
  }

  // `client` is present if no record names the model: `model` is then the client's default, or null if it has none.
  #findModel(call: CallRecord): { readonly model: string | null; readonly client?: string } {
    const session = this.#sessions.get(call.session_id);
    const model = call.model ?? session?.model ?? null;
    if (model !== null) return { model };
    const client = nameClient(session?.client_name ?? "");
    return { model: findDefaultModel(client) ?? null, client };
  }

  #addCalledTool(call: CallRecord): void {
    const called = makeCalledToolKey(call);
    if (called !== undefined && this.#calledTools.size < calledToolsMax)
      this.#calledTools.add(called);
  }

  #addProtocol(record: ProtocolRecord): void {
    const bytes = record.input_bytes + record.output_bytes;
    if (record.reader === "view") {
      this.#view.calls += 1;
      this.#view.bytes += bytes;
      return;
    }
    this.#protocol.messages += 1;
    this.#protocol.bytes += bytes;
    this.#protocol.tokens += record.total_tokens;
  }
}

function isSameTool(a: CallRecord, b: CallRecord): boolean {
  return a.tool === b.tool && a.method === b.method && a.server === b.server;
}

// True for an `end` record of a session that may still be running, and for every `end` record of `serve`.
export function isProvisionalEnd(record: MeterRecord): boolean {
  return record.type === "end" && record.exit_code === null && record.signal === null;
}

export function sumBudgets(ends: readonly EndRecord[]): BudgetSum[] {
  const sums = new Map<string, DatedSum>();
  for (const { server, ts, budgets } of ends) {
    for (const state of budgets) {
      const sum = { ...state, server: isOverall(state) ? null : server, sessions: 1 };
      const key = makeBudgetKey(sum);
      const known = sums.get(key);
      sums.set(key, known ? joinSums(known, { ts, sum }) : { ts, sum });
    }
  }
  return [...sums.values()].map(({ sum }) => sum);
}

type DatedSum = { readonly ts: string; readonly sum: BudgetSum };

function joinSums(a: DatedSum, b: DatedSum): DatedSum {
  const { ts, sum } = isPreferred(a, b) ? a : b;
  return {
    ts,
    sum: {
      ...sum,
      sessions: a.sum.sessions + b.sum.sessions,
      breaches: a.sum.breaches + b.sum.breaches,
    },
  };
}

// If a counter outlives sessions, its newest state is the current one. For a counter of one session or call, the state
// with the largest `spent` is preferred.
function isPreferred(a: DatedSum, b: DatedSum): boolean {
  const outlivesSessions = a.sum.per !== "call" && a.sum.per !== "session";
  return outlivesSessions && a.ts !== b.ts ? a.ts > b.ts : a.sum.spent >= b.sum.spent;
}

// `all` never names a tool here: for a tool named `all`, users write the pattern `al?`.
function isOverall({ budget }: BudgetState): boolean {
  return budget.startsWith("all=");
}

function makeBudgetKey(sum: BudgetSum): string {
  const { server, budget, tool, limit, unit, per, action, user } = sum;
  return JSON.stringify([server, budget, tool, limit, unit, per, action, user]);
}

// One ledger per estimator, because tokens of different estimators cannot be added. A session's first record must be
// its session record.
export class Ledgers {
  readonly #prices: PriceBook | undefined;
  readonly #ledgers = new Map<string, Ledger>();
  readonly #estimators = new Map<string, string>();
  #leftOut = 0;

  constructor(prices?: PriceBook) {
    this.#prices = prices;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  add(record: MeterRecord): void {
    if (record.type === "session")
      setBounded(this.#estimators, record.session_id, record.estimator, reportSessionsMax);
    const ledger = this.#findOrAddLedger(
      this.#estimators.get(record.session_id) ?? unknownEstimator,
    );
    if (ledger) ledger.add(record);
    else this.#leftOut += 1;
  }

  summarize(): Summary[] {
    return [...this.#ledgers.values()].map((ledger) => ledger.summarize());
  }

  #findOrAddLedger(estimator: string): Ledger | undefined {
    const known = this.#ledgers.get(estimator);
    if (known || this.#ledgers.size >= reportEstimatorsMax) return known;
    const ledger = new Ledger(this.#prices);
    this.#ledgers.set(estimator, ledger);
    return ledger;
  }
}

// For sessions without a session record. No estimator has this id.
const unknownEstimator = "";
