import { readEstimation } from "#records/summary.ts";
import type {
  CallRecord,
  ConversationRecord,
  CountedCall,
  ImportedCallRecord,
} from "#records/record.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { SessionFacts } from "../session-state.ts";
import { addCallSums, addSums, makeSums, type Sums } from "../usage-sums.ts";
import type { Axis } from "../usage-report.ts";
import { type TimeZone } from "../calendar.ts";
import { findRangeIndex, type TimeRange } from "../time-range.ts";
import type { UsageFact } from "../usage-cube.ts";
import type {
  ImportedConversation,
  ImportedHistory,
  KnownDefinitions,
} from "./imported-history.ts";
import {
  ConversationSums,
  type ConversationTotals,
  addLoggedTotals,
  type LoggedTotals,
  makeLoggedTotals,
  noLoggedTotals,
  type RentTotals,
} from "./logged-totals.ts";
import {
  priceConversation,
  type CostedConversation,
  type LoggedCallCost,
  type ServerRents,
} from "./price-conversation.ts";
import { type CallDetail, listMethod, selectDetail } from "../call-kinds.ts";

type ImportedPlan = {
  readonly ranges: readonly TimeRange[];
  readonly zone: TimeZone;
  readonly prices?: PriceBook | undefined;
  readonly by?: readonly Axis[] | undefined;
};

type ImportedUsage = {
  readonly history: ImportedHistory;
  readonly matchedCalls: ReadonlyMap<ImportedCallRecord, CallRecord>;
  readonly known: KnownDefinitions;
};

export function addImportedFacts(
  wireFacts: readonly UsageFact[],
  { history, matchedCalls, known }: ImportedUsage,
  plan: ImportedPlan,
): {
  readonly facts: readonly UsageFact[];
  readonly conversations: ConversationTotals | undefined;
} {
  const [range = { fromMs: Infinity, toMs: Infinity }] = plan.ranges;
  const { zone, prices } = plan;
  const fold = new ImportedFold(plan);
  const sums = new ConversationSums(range);
  const paired = new PairedCalls(plan);
  const rents: UsageFact[] = [];
  for (const conversation of history.conversations.values()) {
    const costed = priceConversation(conversation, { prices, range, zone, known, matchedCalls });
    for (const call of conversation.calls.values()) {
      const wire = matchedCalls.get(call);
      const cost = costed.calls.get(call);
      if (wire) paired.add(wire, makeLoggedTotals("pairedCalls", wire, cost), conversation.record);
      else fold.add(call, cost, conversation.record);
    }
    rents.push(...makeRentFacts(conversation, costed, plan));
    sums.add(conversation, costed);
  }
  const merged = wireFacts.flatMap((fact) => paired.splitFact(fact));
  const conversations = prices && sums.totals;
  return { facts: [...merged, ...fold.makeFacts(), ...rents], conversations };
}

type FactIdentity = CallDetail & {
  readonly session: { readonly id: string };
} & Pick<UsageFact, "range" | "day" | "server" | "method" | "tool" | "model">;

function makeFactKey(fact: FactIdentity) {
  const { session, range, day, server, method, tool, model, hour, confidence } = fact;
  return JSON.stringify([session.id, range, day, server, method, tool, model, hour, confidence]);
}

type PairedGroup = Pick<UsageFact, "agent" | "project"> & {
  readonly sums: Sums;
  logged: LoggedTotals;
};

type PairedCall = { readonly seq: number; readonly sums: Sums; readonly tokens: number };

/** Metered calls that the client also logged. Only logs know the agent and the project. */
class PairedCalls {
  readonly #plan: ImportedPlan;
  readonly #groups = new Map<string, Map<string, PairedGroup>>();
  readonly #firstCalls = new Map<string, PairedCall>();
  readonly #projects = new Map<string, string | null>();

  constructor(plan: ImportedPlan) {
    this.#plan = plan;
  }

  add(wire: CallRecord, totals: LoggedTotals, record: ConversationRecord | undefined): void {
    const { ranges, zone, by } = this.#plan;
    const ms = Date.parse(wire.ts);
    const range = findRangeIndex(ranges, ms);
    if (range < 0) return;
    const detail = selectDetail(by, ms, zone, wire.confidence);
    const { session_id: id, server, method, tool, model = null } = wire;
    const period = { range, day: zone.findDay(ms) };
    const key = makeFactKey({ session: { id }, ...period, server, method, tool, model, ...detail });
    const groups = this.#groups.get(key) ?? new Map<string, PairedGroup>();
    this.#groups.set(key, groups);
    const { agent, project } = readOrigin(record, this.#plan);
    const groupKey = JSON.stringify([agent, project]);
    const group = groups.get(groupKey) ?? {
      agent,
      project,
      sums: makeSums(),
      logged: noLoggedTotals,
    };
    groups.set(groupKey, group);
    addCallSums(group.sums, wire);
    if (agent !== undefined) this.#countRepeat(wire, range, group.sums);
    group.logged = addLoggedTotals(group.logged, totals);
    if (project !== undefined) this.#projects.set(wire.session_id, project);
  }

  #countRepeat(call: CallRecord, range: number, sums: Sums): void {
    const key = makeRepeatKey(call, range);
    if (key === undefined) return;
    const tokens = call.input_tokens + call.output_tokens;
    const paired = { seq: call.seq, sums, tokens };
    const first = this.#firstCalls.get(key);
    const isFirst = !first || paired.seq < first.seq;
    if (isFirst) this.#firstCalls.set(key, paired);
    const repeat = isFirst ? first : paired;
    if (!repeat) return;
    addRepeats(repeat.sums, 1, repeat.tokens);
  }

  /** Splits a metered fact by agent and project, if the report has rows by either. */
  splitFact(fact: UsageFact): UsageFact[] {
    const groups = this.#takeGroups(fact);
    const project = this.#projects.get(fact.session.id);
    const [first] = groups;
    if (!first) return [project === undefined ? fact : { ...fact, project }];
    // The report has no rows by agent or project.
    if (first.agent === undefined) return [{ ...fact, logged: first.logged }];
    const unpaired = { ...fact, project, sums: subtractSums(fact.sums, groups) };
    // A paired call may repeat a call that the log lacks. Only the metered fact counts this repeat, so in
    // `unpaired.sums`, `repeated_calls` can be above 0 even if `calls` is 0. The sums do not show which group made the
    // repeat, so the first group counts it.
    if (unpaired.sums.calls === 0) {
      const { repeated_calls: repeats, repeated_tokens: tokens } = unpaired.sums;
      addRepeats(first.sums, repeats, tokens);
    }
    return [
      ...groups.map((group): UsageFact => ({ ...fact, ...group })),
      ...(unpaired.sums.calls > 0 ? [unpaired] : []),
    ];
  }

  // If a metered call names no model, `add` puts a null model in its key. Its fact has the session's model.
  #takeGroups(fact: UsageFact): readonly PairedGroup[] {
    const hasSessionModel = fact.model === fact.session.model;
    const keys = [fact, ...(hasSessionModel ? [{ ...fact, model: null }] : [])].map(makeFactKey);
    const key = keys.find((name) => this.#groups.has(name)) ?? "";
    const groups = [...(this.#groups.get(key)?.values() ?? [])];
    this.#groups.delete(key);
    return groups;
  }
}

function readOrigin(
  record: ConversationRecord | undefined,
  { by = [] }: ImportedPlan,
): Pick<UsageFact, "agent" | "project"> {
  return by.includes("agent") || by.includes("project")
    ? { agent: record?.kind ?? "main", project: record?.project ?? null }
    : {};
}

function subtractSums(sums: Readonly<Sums>, groups: readonly PairedGroup[]): Sums {
  const difference = makeSums();
  addSums(difference, sums);
  for (const group of groups) addSums(difference, group.sums, -1);
  return difference;
}

function addRepeats(sums: Sums, calls: number, tokens: number): void {
  sums.repeated_calls += calls;
  sums.repeated_tokens += tokens;
}

// If two calls have equal keys, the later call is a repeat. `CallCells` applies the same rule to metered calls.
function makeRepeatKey(call: RepeatableCall, range: number): string | undefined {
  const { session_id: id, server, method, tool, arguments_sha256: hash, outcome } = call;
  const isOfTool = tool !== null && method !== "resources/read";
  if (!isOfTool || hash === null || outcome === "refused") return undefined;
  return JSON.stringify([range, id, hash, server, tool]);
}

type RepeatableCall = Pick<
  CallRecord | ImportedCallRecord,
  "session_id" | "server" | "method" | "tool" | "arguments_sha256" | "outcome"
>;

type ImportedCell = { readonly fact: UsageFact; readonly sums: Sums; logged: LoggedTotals };

class ImportedFold {
  readonly #plan: ImportedPlan;
  readonly #sessions = new Map<string, { facts: SessionFacts; cells: Map<string, ImportedCell> }>();
  readonly #callKeys = new Set<string>();

  constructor(plan: ImportedPlan) {
    this.#plan = plan;
  }

  add(
    call: ImportedCallRecord,
    cost: LoggedCallCost | undefined,
    record: ConversationRecord | undefined,
  ): void {
    const ms = Date.parse(call.ts);
    const { ranges, zone, by } = this.#plan;
    const range = findRangeIndex(ranges, ms);
    if (range < 0) return;
    const cell = this.#findCell(call, ms, {
      range,
      day: zone.findDay(ms),
      ...selectDetail(by, ms, zone, call.confidence),
      ...readOrigin(record, this.#plan),
    });
    const counted = convertCall(call);
    addCallSums(cell.sums, counted);
    cell.logged = addLoggedTotals(cell.logged, makeLoggedTotals("importedCalls", counted, cost));
    if (this.#isRepeated(call, range)) {
      const tokens = counted.input_tokens + counted.output_tokens;
      addRepeats(cell.sums, 1, tokens);
    }
  }

  makeFacts(): readonly UsageFact[] {
    return [...this.#sessions.values()].flatMap(({ facts: session, cells }) =>
      [...cells.values()].map(({ fact, sums, logged }) => ({ ...fact, session, sums, logged })),
    );
  }

  #findCell(
    call: ImportedCallRecord,
    ms: number,
    cellKeys: Pick<UsageFact, "range" | "day" | "hour" | "confidence" | "agent" | "project">,
  ): ImportedCell {
    const { session_id: id, estimator, server, method, tool, model } = call;
    const sessionKey = `${id} ${estimator}`;
    const session = this.#sessions.get(sessionKey) ?? {
      facts: this.#describeSession(call, ms),
      cells: new Map<string, ImportedCell>(),
    };
    const { beganMs, lastMs } = session.facts;
    if (ms < beganMs) session.facts = { ...this.#describeSession(call, ms), lastMs };
    else if (ms > lastMs) session.facts = { ...session.facts, lastMs: ms };
    this.#sessions.set(sessionKey, session);
    const key = JSON.stringify([cellKeys, method, tool, model]);
    const sums = makeSums();
    const fact = { session: session.facts, ...cellKeys, server, method, tool, model, sums };
    const cell = session.cells.get(key) ?? { fact, sums, logged: noLoggedTotals };
    session.cells.set(key, cell);
    return cell;
  }

  #describeSession(call: ImportedCallRecord, beganMs: number): SessionFacts {
    return {
      id: call.session_id,
      beganMs,
      lastMs: beganMs,
      beganLocal: this.#plan.zone.formatMinute(beganMs),
      client: nameClient(call.client),
      model: call.model,
      machine: null,
      user: null,
      estimation: readEstimation(call),
    };
  }

  #isRepeated(call: ImportedCallRecord, range: number): boolean {
    const key = makeRepeatKey(call, range);
    if (key === undefined) return false;
    const isKnown = this.#callKeys.has(key);
    this.#callKeys.add(key);
    return isKnown;
  }
}

function convertCall(call: ImportedCallRecord): CountedCall {
  return {
    ts: call.ts,
    session_id: call.session_id,
    seq: call.seq,
    server: call.server,
    tool: call.tool,
    method: call.method,
    outcome: call.outcome,
    input_tokens: call.input_tokens ?? 0,
    output_tokens: call.output_tokens ?? 0,
    output_bytes: 0,
    wire_tokens: 0,
    duplicate_tokens: 0,
    arguments_sha256: call.arguments_sha256,
    ...(call.model === null ? {} : { model: call.model }),
  };
}

function makeRentFacts(
  { record, turns }: ImportedConversation,
  { servers, periods, pricedPeriods }: CostedConversation,
  plan: ImportedPlan,
): readonly UsageFact[] {
  if (turns.size === 0) return [];
  // A truncated file may lack the record of the conversation.
  const times = record ? [record] : [...turns.values()];
  const beganMs = times.map(({ ts }) => Date.parse(ts)).reduce((x, y) => Math.min(x, y));
  const began = { beganMs, lastMs: beganMs, beganLocal: plan.zone.formatMinute(beganMs) };
  const origin = readOrigin(record, plan);
  const client = nameClient(record?.client ?? null);
  const { byNumber } = periods;
  return servers.flatMap((rents) =>
    [...rents.turnsByPeriod.keys()].flatMap((periodNumber): UsageFact[] => {
      const period = byNumber.get(periodNumber);
      if (!period) return [];
      const { server, sessionId: id, estimation } = rents.server;
      const { day, model } = period;
      const session = { id, ...began, client, model, machine: null, user: null, estimation };
      const totals = sumRent(rents, periodNumber);
      const rent = plan.prices
        ? { ...totals, nanoDollars: priceRent(rents, periodNumber, pricedPeriods) }
        : totals;
      const subject = { session, server, method: listMethod, tool: null, model, ...origin };
      // `addImportedFacts` prices conversations only in range 0, the first of `plan.ranges`.
      return [{ ...subject, range: 0, day, sums: makeSums(), rent }];
    }),
  );
}

function sumRent({ rentByPeriod, turnsByPeriod }: ServerRents, periodNumber: number): RentTotals {
  const requests = turnsByPeriod.get(periodNumber) ?? 0;
  return {
    requests,
    unknownRequests: rentByPeriod ? 0 : requests,
    tokens: rentByPeriod?.get(periodNumber)?.tokens ?? 0,
  };
}

function priceRent(
  { rentByPeriod }: ServerRents,
  periodNumber: number,
  pricedPeriods: ReadonlySet<number>,
): number | null {
  return rentByPeriod && pricedPeriods.has(periodNumber)
    ? (rentByPeriod.get(periodNumber)?.cost ?? 0)
    : null;
}
