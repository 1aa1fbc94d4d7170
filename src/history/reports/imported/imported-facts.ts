import { estimationOf } from "#records/certainty.ts";
import type { ImportedCallRecord, CallRecord, CountedCall } from "#records/record.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { SessionFacts } from "../session-state.ts";
import { addCallTo, noSums, type Sums } from "../sums.ts";
import type { TimeRange, TimeZone } from "../calendar.ts";
import type { UsageFact } from "../usage-fact.ts";
import type {
  ImportedConversation,
  ImportedHistory,
  KnownDefinitions,
} from "./imported-history.ts";
import {
  ConversationSums,
  type ConversationTotals,
  addLoggedParts,
  type LoggedPart,
  loggedPartOf,
  noLoggedPart,
  type RentPart,
} from "./logged-part.ts";
import {
  costedConversation,
  type CostedConversation,
  type LoggedCost,
  type ServerRents,
} from "./logged-cost.ts";
import { listMethod } from "../call-kinds.ts";

type ImportedPlan = {
  readonly ranges: readonly TimeRange[];
  readonly zone: TimeZone;
  readonly prices?: PriceBook | undefined;
};

type ImportedUsage = {
  readonly history: ImportedHistory;
  readonly pairs: ReadonlyMap<ImportedCallRecord, CallRecord>;
  readonly known: KnownDefinitions;
};

export function withImported(
  wireFacts: readonly UsageFact[],
  { history, pairs, known }: ImportedUsage,
  plan: ImportedPlan,
): {
  readonly facts: readonly UsageFact[];
  readonly conversations: ConversationTotals | undefined;
} {
  const [range = { fromMs: Infinity, toMs: Infinity }] = plan.ranges;
  const { zone, prices } = plan;
  const fold = new ImportedFold(plan);
  const sums = new ConversationSums(range);
  const paired = new Map<string, LoggedPart>();
  const rents: UsageFact[] = [];
  for (const conversation of history.conversations.values()) {
    const costed = costedConversation(conversation, { prices, range, zone, known, pairs });
    for (const call of conversation.calls.values()) {
      const wire = pairs.get(call);
      const cost = costed.calls.get(call);
      if (!wire) fold.add(call, cost);
      else addPart(paired, wire, loggedPartOf("paired", wire, cost), plan);
    }
    rents.push(...rentFacts(conversation, costed, { zone, hasPrices: prices !== undefined }));
    sums.add(conversation, costed);
  }
  const merged = wireFacts.map((fact): UsageFact => {
    const key = factKey(fact);
    const logged = paired.get(key);
    paired.delete(key);
    return logged ? { ...fact, logged } : fact;
  });
  const conversations = prices && sums.totals;
  return { facts: [...merged, ...fold.facts(), ...rents], conversations };
}

type Place = {
  readonly session: { readonly id: string };
  readonly day: number;
} & Pick<UsageFact, "server" | "method" | "tool">;

function factKey({ session, day, server, method, tool }: Place): string {
  return JSON.stringify([session.id, day, server, method, tool]);
}

/** Found by session, day and tool; of several models, the first gets the part. */
function addPart(
  parts: Map<string, LoggedPart>,
  wire: CallRecord,
  part: LoggedPart,
  { zone }: ImportedPlan,
): void {
  const day = zone.dayOf(Date.parse(wire.ts));
  const key = factKey({ ...wire, session: { id: wire.session_id }, day });
  parts.set(key, addLoggedParts(parts.get(key) ?? noLoggedPart, part));
}

type ImportedCell = { readonly fact: UsageFact; readonly sums: Sums; logged: LoggedPart };

class ImportedFold {
  readonly #plan: ImportedPlan;
  readonly #sessions = new Map<string, { facts: SessionFacts; cells: Map<string, ImportedCell> }>();
  readonly #known = new Set<string>();

  constructor(plan: ImportedPlan) {
    this.#plan = plan;
  }

  add(call: ImportedCallRecord, cost: LoggedCost | undefined): void {
    const ms = Date.parse(call.ts);
    const range = this.#plan.ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
    if (range < 0) return;
    const cell = this.#cellOf(call, { range, day: this.#plan.zone.dayOf(ms), ms });
    const counted = countedCall(call);
    addCallTo(cell.sums, counted);
    cell.logged = addLoggedParts(cell.logged, loggedPartOf("imported", counted, cost));
    if (this.#isRepeated(call)) {
      cell.sums.repeated_calls += 1;
      cell.sums.repeated_tokens += counted.input_tokens + counted.output_tokens;
    }
  }

  facts(): readonly UsageFact[] {
    return [...this.#sessions.values()].flatMap(({ facts: session, cells }) =>
      [...cells.values()].map(({ fact, sums, logged }) => ({ ...fact, session, sums, logged })),
    );
  }

  #cellOf(
    call: ImportedCallRecord,
    { range, day, ms }: { range: number; day: number; ms: number },
  ): ImportedCell {
    const { session_id: id, estimator, server, method, tool, model } = call;
    const sessionKey = `${id} ${estimator}`;
    const session = this.#sessions.get(sessionKey) ?? {
      facts: this.#sessionFacts(call, ms),
      cells: new Map<string, ImportedCell>(),
    };
    if (ms < session.facts.beganMs) session.facts = this.#sessionFacts(call, ms);
    this.#sessions.set(sessionKey, session);
    const key = JSON.stringify([range, day, method, tool, model]);
    const sums = noSums();
    const fact = { session: session.facts, range, day, server, method, tool, model, sums };
    const cell = session.cells.get(key) ?? { fact, sums, logged: noLoggedPart };
    session.cells.set(key, cell);
    return cell;
  }

  #sessionFacts(call: ImportedCallRecord, beganMs: number): SessionFacts {
    return {
      id: call.session_id,
      beganMs,
      beganLocal: this.#plan.zone.minuteText(beganMs),
      client: call.client,
      model: call.model,
      machine: null,
      estimation: estimationOf(call),
    };
  }

  #isRepeated({ session_id: id, tool, arguments_sha256: hash }: ImportedCallRecord): boolean {
    if (hash === null) return false;
    const key = `${id} ${hash} ${tool}`;
    const isKnown = this.#known.has(key);
    this.#known.add(key);
    return isKnown;
  }
}

function countedCall(call: ImportedCallRecord): CountedCall {
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
    wire_tokens: 0,
    duplicate_tokens: 0,
    arguments_sha256: call.arguments_sha256,
    ...(call.model === null ? {} : { model: call.model }),
  };
}

function rentFacts(
  { record }: ImportedConversation,
  { servers, periods, priced }: CostedConversation,
  { zone, hasPrices }: { readonly zone: TimeZone; readonly hasPrices: boolean },
): readonly UsageFact[] {
  const beganMs = record === undefined ? 0 : Date.parse(record.ts);
  const began = { beganMs, beganLocal: zone.minuteText(beganMs) };
  const client = record?.client ?? null;
  const all = periods.all;
  return servers.flatMap((rents) =>
    [...rents.turns.keys()].flatMap((number): UsageFact[] => {
      const period = all.get(number);
      if (!period) return [];
      const { server, sessionId: id, estimation } = rents.server;
      const { day, model } = period;
      const session = { id, ...began, client, model, machine: null, estimation };
      const place = { session, range: 0, day, server, method: listMethod, tool: null, model };
      const part = rentPart(rents, number);
      const rent = hasPrices ? { ...part, nanoDollars: amountOf(rents, number, priced) } : part;
      return [{ ...place, sums: noSums(), rent }];
    }),
  );
}

function rentPart({ rents, turns }: ServerRents, number: number): RentPart {
  const requests = turns.get(number) ?? 0;
  return {
    requests,
    unknownRequests: rents ? 0 : requests,
    tokens: rents?.get(number)?.tokens ?? 0,
  };
}

/** Null if nothing is known about the definitions, or the turns have no price. */
function amountOf(
  { rents }: ServerRents,
  number: number,
  priced: ReadonlySet<number>,
): number | null {
  return rents && priced.has(number) ? (rents.get(number)?.cost ?? 0) : null;
}
