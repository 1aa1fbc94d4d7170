import { type Context, type Decision, forward } from "#budgets/decision.ts";
import type { Gate, Gated } from "#budgets/gate.ts";
import { type HeldRequest, HeldRequests } from "#budgets/held-requests.ts";
import type { Instant } from "#calls/instant.ts";
import type { Requested } from "#calls/transition.ts";
import type { LockGuard } from "#lock/lock-guard.ts";
import type { Journal } from "./journal.ts";

/** Asks the gate, with everything that a decision depends on. Without a gate everything is forwarded. */
export class Decider {
  readonly held = new HeldRequests();
  /** False once the client sends no more: nothing may be held for later. */
  isHolding = true;
  readonly #gate: Gate | undefined;
  readonly #journal: Journal;
  readonly #lock: LockGuard | undefined;

  /** `lock` is the enforced one, if any. */
  constructor(gate: Gate | undefined, journal: Journal, lock: LockGuard | undefined) {
    this.#gate = gate;
    this.#journal = journal;
    this.#lock = lock;
  }

  /** The gate's decision; when it needs finished calls to be counted first, after that. */
  decide(transition: Gated, at: Instant, held?: HeldRequest): Decision {
    if (!this.#gate || !isGated(transition)) return forward;
    const context = this.#context(transition, at, held);
    const decision = this.#gate.decide(transition, context);
    if (decision.kind !== "unsettled") return decision;
    this.#journal.count(Infinity);
    return this.#gate.decide(transition, { ...context, isSettled: true });
  }

  #context(transition: Gated, { wallMs }: Instant, held?: HeldRequest): Context {
    const { reader, backlog } = this.#journal;
    return {
      reader,
      nowMs: wallMs,
      isSettled: backlog === 0,
      mayHoldMs: transition.kind === "requested" ? this.#mayHoldMs(transition, wallMs, held) : 0,
      wasHeld: held !== undefined,
      lock: this.#lock,
    };
  }

  /** A request whose bytes were not kept cannot be sent later. */
  #mayHoldMs({ arrival: { line } }: Requested, nowMs: number, held?: HeldRequest): number {
    if (!this.isHolding || !line.bytes || this.#gate?.mayHold !== true) return 0;
    return this.held.mayHoldMs(line.size, held?.sinceMs ?? nowMs, nowMs);
  }
}

/** True for a message about a call of the client that costs tokens, and for one that may be about such a call. */
function isGated(transition: Gated): boolean {
  if (transition.kind === "unreadable") return true;
  const { call } = transition;
  return call.from === "client" && call.asked.isPriced;
}
