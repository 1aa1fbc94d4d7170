import { askedCounters, type Context, type Decision, forward } from "../budgets/decision.ts";
import type { Gate, Gated } from "../budgets/gate.ts";
import { type HeldRequest, HeldRequests } from "../budgets/held-requests.ts";
import type { Call, Instant } from "../calls/call.ts";
import type { Requested, Closed } from "../calls/transition.ts";
import type { LockGuard } from "#lock/lock-watch.ts";
import { exactCountCharacters } from "#kit/limits.ts";
import { AskedLines, arrivalOf } from "./asked-lines.ts";
import { type Effects, keptBack, lateAnswer, passed } from "./effects.ts";
import type { MeterEvent } from "./event.ts";
import type { Journal } from "./journal.ts";
import { Bill } from "#tokens/cost/bill.ts";
import type { Ceiling } from "#tokens/cost/ceiling.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { type CallTokens, chargeCeiling, noTokens } from "./charge.ts";

type Weighing = { readonly closed: Closed; readonly bill: Bill; readonly tokens: CallTokens };

class Weighings {
  readonly #waiting: Weighing[] = [];
  readonly #counted = new WeakMap<Closed, number>();

  most(closed: Closed, ceiling: () => Ceiling, reader: Reader): number | undefined {
    const most = this.#counted.get(closed);
    if (most !== undefined || this.#waiting.some((one) => one.closed === closed)) return most;
    const bill = new Bill(reader.estimator);
    const tokens = noTokens();
    bill.addLater(1, () => chargeCeiling(ceiling(), reader, { bill, tokens }));
    this.#waiting.push({ closed, bill, tokens });
    return undefined;
  }

  get backlog(): number {
    return this.#waiting.reduce((sum, { bill }) => sum + bill.charactersLeft, 0);
  }

  drop(): void {
    this.#waiting.length = 0;
  }

  advance(workMax: number): boolean {
    const [first] = this.#waiting;
    first?.bill.advance(workMax);
    if (!first || first.bill.charactersLeft > 0) return false;
    this.#waiting.shift();
    this.#counted.set(first.closed, first.tokens.most);
    return true;
  }
}

export type EarlierDecision = {
  readonly held?: HeldRequest | undefined;
  readonly wasAsked?: boolean;
  readonly mayAsk?: boolean;
};

export class Decider {
  readonly held = new HeldRequests();
  readonly asked = new AskedLines();
  /** False once nothing can be delivered any more: nothing may wait for an answer. */
  isAsking = true;
  /** False once the client sends no more: nothing may be held for later. */
  isHolding = true;
  readonly weighings = new Weighings();
  awaitsCounts = false;
  readonly #gate: Gate | undefined;
  readonly #journal: Journal;
  readonly #lock: LockGuard | undefined;

  constructor(gate: Gate | undefined, journal: Journal, lock: LockGuard | undefined) {
    this.#gate = gate;
    this.#journal = journal;
    this.#lock = lock;
  }

  /** When the gate needs finished calls to be counted first, it decides after that. A message that waits for the answer of a counter is kept until then. */
  decide(transition: Gated, at: Instant, before?: EarlierDecision): Decision {
    if (!this.#gate || !isGated(transition)) return forward;
    const context = this.#context(transition, at, before ?? {});
    const decision = this.#mustFollow(transition, context)
      ? askedCounters
      : this.#decide(transition, context);
    if (decision.kind === "asked") this.asked.add(transition, before?.held);
    this.#journal.note(decision.records, at);
    return decision;
  }

  takeRequest(id: string | number): Call | undefined {
    return this.held.take(id) ?? this.asked.takeRequest(id);
  }

  /** The effects of an event after the end: nothing pays for a message any more that can still be withheld. */
  afterEnd(event: MeterEvent): Effects {
    if (event.kind !== "line" || event.hasPassed !== false) return passed;
    return this.#gate?.guardsAnswers === true ? keptBack() : passed;
  }

  /** The effects of an answer to nothing: the client would take it for that to a request that is held, or that it sends later. */
  unasked(isLate: boolean): Effects {
    if (this.#gate?.guardsAnswers !== true) return passed;
    return isLate ? lateAnswer : keptBack();
  }

  #decide(transition: Gated, context: Context): Decision {
    const decision = this.#gate?.decide(transition, context) ?? forward;
    if (decision.kind !== "unsettled") return decision;
    if (context.mostOf && this.#journal.backlog > exactCountCharacters) {
      this.awaitsCounts = true;
      return askedCounters;
    }
    this.#journal.count(Infinity);
    return this.#gate?.decide(transition, { ...context, isSettled: true }) ?? forward;
  }

  /** A further answer to a call does not overtake one that waits. */
  #mustFollow(transition: Gated, { mayAsk }: Context): boolean {
    return mayAsk && transition.kind === "repeated" && this.asked.hasAnswerTo(transition.call);
  }

  #context(
    transition: Gated,
    { wallMs, monoMs }: Instant,
    { held, wasAsked = false, mayAsk = true }: EarlierDecision,
  ): Context {
    const { reader, backlog } = this.#journal;
    const isWaiting = mayAsk && this.isAsking && isKept(transition);
    // On stdio no other client waits.
    const isShared = arrivalOf(transition)?.exchange !== undefined;
    const mostOf: Context["mostOf"] = (closed, ceiling) =>
      this.weighings.most(closed, ceiling, reader);
    return {
      reader,
      nowMs: wallMs,
      isSettled: backlog === 0,
      mayHoldMs: transition.kind === "requested" ? this.#mayHoldMs(transition, monoMs, held) : 0,
      wasHeld: wasAsked || held !== undefined,
      mayAsk: isWaiting,
      mostOf: isWaiting && isShared ? mostOf : undefined,
      lock: this.#lock,
    };
  }

  /** A request whose bytes were not kept cannot be sent later. */
  #mayHoldMs({ arrival: { line } }: Requested, nowMs: number, held?: HeldRequest): number {
    if (!this.isHolding || !line.bytes || this.#gate?.mayHold !== true) return 0;
    return this.held.mayHoldMs(line.size, held?.sinceMs ?? nowMs, nowMs);
  }
}

function isKept(transition: Gated): boolean {
  const arrival = arrivalOf(transition);
  return arrival?.hasPassed === false && arrival.line.bytes !== undefined;
}

function isGated(transition: Gated): boolean {
  if (transition.kind === "unreadable") return true;
  const { call } = transition;
  return call.from === "client" && call.asked.isPriced;
}
