import { type HeldRequest, HeldRequests, makeRequested } from "../actions/throttle.ts";
import { exactCountCharactersMax } from "../budgets/request-decision.ts";
import type { Gated, Gate } from "../budgets/gate.ts";
import {
  copyLine,
  type Arrival,
  type Call,
  type HttpExchange,
  type Instant,
  type Requested,
  type Closed,
  type Repeated,
  type Unreadable,
} from "../calls/call.ts";
import {
  pendingDecision,
  type DecisionContext,
  type Decision,
  forward,
} from "../budgets/decision.ts";
import type { LockGuard } from "#lock/lock-guard.ts";
import type { MeterEvent } from "./event.ts";
import type { Journal } from "./journal.ts";
import { CeilingCounts } from "./charge.ts";
import type { MeterRecord } from "#records/record.ts";
import { keepElements } from "#wire/edit-line-bytes.ts";
import { type Line, lineOverheadBytes } from "#wire/line.ts";
import type { Id, Side } from "#wire/message.ts";

// Reading stops when the pending lines reach either of these limits.
export const pendingBytesMax = 16 * 1024 * 1024;

export const pendingLinesMax = 10_000;

type PendingLine = {
  readonly transition: Gated;
  readonly bytes: Uint8Array;
  readonly exchange: HttpExchange | undefined;
  readonly held: HeldRequest | undefined;
};

export class PendingLines {
  #lines: PendingLine[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  get isFull(): boolean {
    return this.#lines.length >= pendingLinesMax || this.#bytes >= pendingBytesMax;
  }

  add(transition: Gated, held?: HeldRequest): void {
    const arrival = findArrival(transition);
    const bytes = (arrival && copyLine(arrival)) ?? new Uint8Array();
    this.#lines.push({ transition, bytes, exchange: arrival?.exchange, held });
    this.#bytes += bytes.length + lineOverheadBytes;
  }

  hasAnswerTo(call: Call): boolean {
    return this.#lines.some(({ transition }) => "call" in transition && transition.call === call);
  }

  takeRequest(id: string | number): Call | undefined {
    const found = this.#lines.find(
      ({ transition }) => transition.kind === "requested" && transition.call.id?.value === id,
    );
    if (found?.transition.kind !== "requested") return undefined;
    this.#lines = this.#lines.filter((line) => line !== found);
    this.#bytes -= found.bytes.length + lineOverheadBytes;
    return found.transition.call;
  }

  takeExchange(number: number): readonly PendingLine[] {
    const taken = this.#lines.filter(({ exchange }) => exchange?.number === number);
    if (taken.length === 0) return taken;
    const remaining = this.#lines.filter((line) => !taken.includes(line));
    this.#lines = remaining;
    this.#bytes = remaining.reduce((sum, { bytes }) => sum + bytes.length + lineOverheadBytes, 0);
    return taken;
  }

  takeAll(): readonly PendingLine[] {
    const all = this.#lines;
    this.#lines = [];
    this.#bytes = 0;
    return all;
  }
}

export function findArrival(transition: Gated): Arrival | undefined {
  return "arrival" in transition ? transition.arrival : transition.answer?.arrival;
}

export type DecisionOptions = {
  readonly held?: HeldRequest | undefined;
  readonly wasPending?: boolean;
  readonly mayAsk?: boolean; // false if the message cannot wait for a budget's counter
};

export class Decider {
  readonly held = new HeldRequests();
  readonly pending = new PendingLines();
  mayWait = true; // messages may wait for counters; false when nothing can be delivered any more
  mayHoldRequests = true; // false after the client has closed our standard input
  readonly ceilingCounts = new CeilingCounts();
  awaitsCounts = false; // pending lines need the costs of finished calls
  readonly #gate: Gate | undefined;
  readonly #journal: Journal;
  readonly #lock: LockGuard | undefined;

  constructor(gate: Gate | undefined, journal: Journal, lock: LockGuard | undefined) {
    this.#gate = gate;
    this.#journal = journal;
    this.#lock = lock;
  }

  // Counts the finished calls first if the gate needs their costs; over HTTP, the message may wait instead.
  decide(transition: Gated, at: Instant, options?: DecisionOptions): Decision {
    if (!this.#gate || !needsDecision(transition)) return forward;
    const context = this.#makeContext(transition, at, options ?? {});
    const decision = this.#mustFollow(transition, context)
      ? pendingDecision
      : this.#decide(transition, context);
    if (decision.kind === "pending") this.pending.add(transition, options?.held);
    this.#journal.addBodies(decision.records, at);
    return decision;
  }

  // After the session's end, no cost can be charged. So if the gate guards answers, messages that have not passed are
  // withheld.
  decideAfterEnd(event: MeterEvent): Effects {
    if (event.kind !== "line" || event.hasPassed !== false) return noEffects;
    return this.#gate?.guardsAnswers === true ? withhold() : noEffects;
  }

  // A client would read a stray answer as the answer to a held or later request.
  decideUnexpected(isLate: boolean): Effects {
    if (this.#gate?.guardsAnswers !== true) return noEffects;
    return isLate ? lateAnswer : withhold();
  }

  #decide(transition: Gated, context: DecisionContext): Decision {
    const decision = this.#gate?.decide(transition, context) ?? forward;
    if (decision.kind !== "unsettled") return decision;
    if (context.requestUpperBound && this.#journal.backlog > exactCountCharactersMax) {
      this.awaitsCounts = true;
      return pendingDecision;
    }
    this.#journal.count(Infinity);
    return this.#gate?.decide(transition, { ...context, isSettled: true }) ?? forward;
  }

  // A further answer to a call must not overtake one that waits.
  #mustFollow(transition: Gated, { mayAsk }: DecisionContext): boolean {
    return mayAsk && transition.kind === "repeated" && this.pending.hasAnswerTo(transition.call);
  }

  #makeContext(
    transition: Gated,
    { wallMs, monoMs }: Instant,
    { held, wasPending = false, mayAsk = true }: DecisionOptions,
  ): DecisionContext {
    const { reader, backlog } = this.#journal;
    const mayBeDelayed = mayAsk && this.mayWait && canSendLater(transition);
    // Over HTTP, a count would delay other clients, too. On stdio, there is only this client.
    const isShared = findArrival(transition)?.exchange !== undefined;
    const requestUpperBound: DecisionContext["requestUpperBound"] = (closed, ceiling) =>
      this.ceilingCounts.requestUpperBound(closed, ceiling, reader);
    return {
      reader,
      nowMs: wallMs,
      isSettled: backlog === 0,
      holdMaxMs:
        transition.kind === "requested" ? this.#computeHoldMaxMs(transition, monoMs, held) : 0,
      wasDecidedBefore: wasPending || held !== undefined,
      mayAsk: mayBeDelayed,
      requestUpperBound: mayBeDelayed && isShared ? requestUpperBound : undefined,
      lock: this.#lock,
    };
  }

  #computeHoldMaxMs({ arrival: { line } }: Requested, nowMs: number, held?: HeldRequest): number {
    if (!this.mayHoldRequests || !line.bytes || this.#gate?.mayWaitForRefill !== true) return 0;
    return this.held.computeHoldMaxMs(line.size, held?.sinceMs ?? nowMs, nowMs);
  }
}

function canSendLater(transition: Gated): boolean {
  const arrival = findArrival(transition);
  return arrival?.hasPassed === false && arrival.line.bytes !== undefined;
}

function needsDecision(transition: Gated): boolean {
  if (transition.kind === "unreadable") return true;
  const { call } = transition;
  return call.from === "client" && call.request.isCall;
}

type Decide<Message> = (message: Message, at: Instant, options: DecisionOptions) => Effects;

export type DecideFunctions = {
  readonly request: Decide<Requested>;
  readonly answer: Decide<Closed>;
  readonly possibleAnswer: Decide<Repeated | Unreadable>;
};

export function decideHeld(
  decider: Decider,
  decide: DecideFunctions,
  { kind, at }: { readonly kind: "eof" | "wake"; readonly at: Instant },
): Effects {
  if (kind === "eof") decider.mayHoldRequests = false;
  const all = decider.held.takeAll().map((held): Effects => {
    const effects = decide.request(makeRequested(held, at.monoMs), at, { held });
    held.call.heldMs = at.monoMs - held.sinceMs;
    return deliverDelayed(effects, held.call.exchange, "server", held.bytes);
  });
  return mergeEffects(all);
}

export function decidePending({ pending }: Decider, decide: DecideFunctions, at: Instant): Effects {
  const all = pending.takeAll().map(({ transition, bytes, exchange, held }): Effects => {
    const options = { held, wasPending: true };
    switch (transition.kind) {
      case "requested":
        return deliverDelayed(decide.request(transition, at, options), exchange, "server", bytes);
      case "closed":
        return deliverDelayed(decide.answer(transition, at, options), exchange, "client", bytes);
      default:
        return deliverDelayed(
          decide.possibleAnswer(transition, at, options),
          exchange,
          "client",
          bytes,
        );
    }
  });
  return mergeEffects(all);
}

type DroppedMessages = { readonly calls: readonly Call[]; readonly effects: Effects };

type MessageSelection = { readonly id: Id["value"] } | { readonly exchange: number } | "all";

export function dropMessages(decider: Decider, selection: MessageSelection): DroppedMessages {
  const { pending, held } = decider;
  if (selection === "all") {
    decider.mayWait = false;
    decider.ceilingCounts.drop();
    return dropAll(pending.takeAll(), held.takeAll());
  }
  if ("exchange" in selection) {
    const { exchange } = selection;
    return dropAll(pending.takeExchange(exchange), held.takeExchange(exchange));
  }
  const call = held.take(selection.id) ?? pending.takeRequest(selection.id);
  return { calls: call ? [call] : [], effects: dropDelayed(call?.exchange) };
}

function dropAll(pending: readonly PendingLine[], held: readonly HeldRequest[]): DroppedMessages {
  const calls = pending.flatMap(({ transition }) =>
    transition.kind === "requested" || transition.kind === "closed" ? [transition.call] : [],
  );
  const exchanges = [
    ...pending.map(({ exchange }) => exchange),
    ...held.map(({ call }) => call.exchange),
  ];
  return {
    calls: [...calls, ...held.map(({ call }) => call)],
    effects: mergeEffects(exchanges.map(dropDelayed)),
  };
}

export type Judgement = Effects & { readonly records: readonly MeterRecord[] };

export type Effects = {
  readonly passes: boolean;
  readonly toClient: readonly Uint8Array[];
  readonly toServer: readonly Uint8Array[];
  readonly isLate: boolean; // the answer is withheld because the client cancelled its request
  readonly waits: boolean;
  // Effects of HTTP messages that waited. A stdio message that waited is put into `toClient` or `toServer`.
  readonly delayed: readonly DelayedEffects[];
};

export type DelayedEffects = { readonly exchange: HttpExchange; readonly effects: Effects };

export type DelayedEffectsReceiver = {
  take(delayed: DelayedEffects): void;
  fail(): void; // the meter failed: no waiting message will be decided
};

const noLines: readonly never[] = [];

export const noEffects: Effects = {
  passes: true,
  toClient: noLines,
  toServer: noLines,
  isLate: false,
  waits: false,
  delayed: noLines,
};

export const waiting: Effects = { ...noEffects, passes: false, waits: true };

export const lateAnswer: Effects = { ...noEffects, passes: false, isLate: true };

export function withhold(instead?: Uint8Array): Effects {
  return { ...noEffects, passes: false, toClient: instead ? [instead] : noLines };
}

export function deliverDelayed(
  effects: Effects,
  exchange: HttpExchange | undefined,
  to: Side,
  bytes: Uint8Array,
): Effects {
  if (effects.waits) return waiting;
  if (exchange) return { ...noEffects, delayed: [{ exchange, effects }] };
  if (!effects.passes) return effects;
  return { ...withhold(), ...(to === "server" ? { toServer: [bytes] } : { toClient: [bytes] }) };
}

export function dropDelayed(exchange: HttpExchange | undefined): Effects {
  return exchange ? { ...noEffects, delayed: [{ exchange, effects: withhold() }] } : noEffects;
}

// Lists each member: this runs for every line, and a spread would be too slow.
export function makeJudgement(effects: Effects, records: readonly MeterRecord[]): Judgement {
  const { passes, toClient, toServer, isLate, waits, delayed } = effects;
  return { passes, toClient, toServer, isLate, waits, delayed, records };
}

export function mergeEffects(all: readonly Effects[]): Effects {
  const changes = all.filter((effects) => effects !== noEffects);
  if (changes.length < 2) return changes[0] ?? noEffects;
  return {
    passes: changes.every(({ passes }) => passes),
    toClient: changes.flatMap(({ toClient }) => toClient),
    toServer: changes.flatMap(({ toServer }) => toServer),
    isLate: changes.some(({ isLate }) => isLate),
    waits: changes.some(({ waits }) => waits),
    delayed: changes.flatMap((effects) => effects.delayed),
  };
}

// A batch that passes in part becomes a new line, which includes the unparsed elements of the batch.
export function mergeBatchEffects(
  items: readonly Effects[],
  hasUnparsed: boolean,
  { from, line }: { readonly from: Side; readonly line: Line },
): Effects {
  const all = mergeEffects(items);
  if (all.passes || !line.bytes) return all;
  if (!hasUnparsed && !items.some(({ passes }) => passes)) return all;
  const passing = keepElements(line.bytes, (index) => items[index]?.passes ?? true);
  return from === "client"
    ? { ...all, toServer: [...all.toServer, passing] }
    : { ...all, toClient: [...all.toClient, passing] };
}
