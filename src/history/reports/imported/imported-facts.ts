import { readEstimation } from "#records/certainty.ts";
import type { ImportedCallRecord, CallRecord, CountedCall } from "#records/record.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import type { SessionFacts } from "../session-state.ts";
import { addCallSums, makeSums, type Sums } from "../sums.ts";
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
  addLoggedTotals,
  type LoggedTotals,
  countLogged,
  noLoggedTotals,
  type RentTotals,
} from "./logged-part.ts";
import {
  priceConversation,
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

export function addImportedFacts(
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
  const paired = new Map<string, LoggedTotals>();
  const rents: UsageFact[] = [];
  for (const conversation of history.conversations.values()) {
    const costed = priceConversation(conversation, { prices, range, zone, known, pairs });
    for (const call of conversation.calls.values()) {
      const wire = pairs.get(call);
      const cost = costed.calls.get(call);
      if (!wire) fold.add(call, cost);
      else addPaired(paired, wire, countLogged("paired", wire, cost), plan);
    }
    rents.push(...makeRentFacts(conversation, costed, { zone, hasPrices: prices !== undefined }));
    sums.add(conversation, costed);
  }
  const merged = wireFacts.map((fact): UsageFact => {
    const key = makeFactKey(fact);
    const logged = paired.get(key);
    paired.delete(key);
    return logged ? { ...fact, logged } : fact;
  });
  const conversations = prices && sums.totals;
  return { facts: [...merged, ...fold.facts(), ...rents], conversations };
}

type FactIdentity = {
  readonly session: { readonly id: string };
  readonly day: number;
} & Pick<UsageFact, "server" | "method" | "tool">;

function makeFactKey({ session, day, server, method, tool }: FactIdentity): string {
  return JSON.stringify([session.id, day, server, method, tool]);
}

function addPaired(
  paired: Map<string, LoggedTotals>,
  wire: CallRecord,
  totals: LoggedTotals,
  { zone }: ImportedPlan,
): void {
  const day = zone.findDay(Date.parse(wire.ts));
  const key = makeFactKey({ ...wire, session: { id: wire.session_id }, day });
  paired.set(key, addLoggedTotals(paired.get(key) ?? noLoggedTotals, totals));
}

type ImportedCell = { readonly fact: UsageFact; readonly sums: Sums; logged: LoggedTotals };

class ImportedFold {
  readonly #plan: ImportedPlan;
  readonly #sessions = new Map<string, { facts: SessionFacts; cells: Map<string, ImportedCell> }>();
  readonly #callKeys = new Set<string>();

  constructor(plan: ImportedPlan) {
    this.#plan = plan;
  }

  add(call: ImportedCallRecord, cost: LoggedCost | undefined): void {
    const ms = Date.parse(call.ts);
    const range = this.#plan.ranges.findIndex(({ fromMs, toMs }) => ms >= fromMs && ms < toMs);
    if (range < 0) return;
    const cell = this.#findCell(call, { range, day: this.#plan.zone.findDay(ms), ms });
    const counted = convertCall(call);
    addCallSums(cell.sums, counted);
    cell.logged = addLoggedTotals(cell.logged, countLogged("imported", counted, cost));
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

  #findCell(
    call: ImportedCallRecord,
    { range, day, ms }: { range: number; day: number; ms: number },
  ): ImportedCell {
    const { session_id: id, estimator, server, method, tool, model } = call;
    const sessionKey = `${id} ${estimator}`;
    const session = this.#sessions.get(sessionKey) ?? {
      facts: this.#describeSession(call, ms),
      cells: new Map<string, ImportedCell>(),
    };
    if (ms < session.facts.beganMs) session.facts = this.#describeSession(call, ms);
    this.#sessions.set(sessionKey, session);
    const key = JSON.stringify([range, day, method, tool, model]);
    const sums = makeSums();
    const fact = { session: session.facts, range, day, server, method, tool, model, sums };
    const cell = session.cells.get(key) ?? { fact, sums, logged: noLoggedTotals };
    session.cells.set(key, cell);
    return cell;
  }

  #describeSession(call: ImportedCallRecord, beganMs: number): SessionFacts {
    return {
      id: call.session_id,
      beganMs,
      beganLocal: this.#plan.zone.minuteText(beganMs),
      client: nameClient(call.client),
      model: call.model,
      machine: null,
      estimation: readEstimation(call),
    };
  }

  #isRepeated({ session_id: id, tool, arguments_sha256: hash }: ImportedCallRecord): boolean {
    if (hash === null) return false;
    const key = `${id} ${hash} ${tool}`;
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
    wire_tokens: 0,
    duplicate_tokens: 0,
    arguments_sha256: call.arguments_sha256,
    ...(call.model === null ? {} : { model: call.model }),
  };
}

function makeRentFacts(
  { record }: ImportedConversation,
  { servers, periods, priced }: CostedConversation,
  { zone, hasPrices }: { readonly zone: TimeZone; readonly hasPrices: boolean },
): readonly UsageFact[] {
  const beganMs = record === undefined ? 0 : Date.parse(record.ts);
  const began = { beganMs, beganLocal: zone.minuteText(beganMs) };
  const client = nameClient(record?.client ?? null);
  const periodsByNumber = periods.byNumber;
  return servers.flatMap((rents) =>
    [...rents.turns.keys()].flatMap((number): UsageFact[] => {
      const period = periodsByNumber.get(number);
      if (!period) return [];
      const { server, sessionId: id, estimation } = rents.server;
      const { day, model } = period;
      const session = { id, ...began, client, model, machine: null, estimation };
      const fact = { session, range: 0, day, server, method: listMethod, tool: null, model };
      const totals = sumRent(rents, number);
      const rent = hasPrices
        ? { ...totals, nanoDollars: priceRent(rents, number, priced) }
        : totals;
      return [{ ...fact, sums: makeSums(), rent }];
    }),
  );
}

function sumRent({ rents, turns }: ServerRents, number: number): RentTotals {
  const requests = turns.get(number) ?? 0;
  return {
    requests,
    unknownRequests: rents ? 0 : requests,
    tokens: rents?.get(number)?.tokens ?? 0,
  };
}

function priceRent(
  { rents }: ServerRents,
  number: number,
  priced: ReadonlySet<number>,
): number | null {
  return rents && priced.has(number) ? (rents.get(number)?.cost ?? 0) : null;
}
