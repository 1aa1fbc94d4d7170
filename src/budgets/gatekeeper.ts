import { nameCharactersMax } from "#limits.ts";
import { refusedError, refusedResult } from "#wire/refusal.ts";
import type { Side } from "#wire/side.ts";
import { isObject } from "#wire/json.ts";
import type { Call } from "#calls/call.ts";
import { asItIs, type Carrier } from "#calls/carrier.ts";
import type { Closing } from "#calls/outcome.ts";
import type { Gate } from "./gate.ts";
import { describeResult, describeError } from "#cost/methods.ts";
import { lineAt, nameAt, type Place, rawIdAt } from "#calls/place.ts";
import type { Reader } from "#cost/reader.ts";
import type { Instant } from "#calls/instant.ts";
import { type RefusalFacts, refusalText } from "./refusal-text.ts";
import type { Answer, Circumstances } from "./verdict.ts";
import { type Waiting, WaitingRoom } from "./waiting.ts";

/** How a refusal of a tool call looks: the tool's own error, or a JSON-RPC error. */
export type ErrorForm = "tool" | "rpc";

/** Lines of ours, by who gets them. */
export type Lines = { readonly client: Uint8Array[]; readonly server: Uint8Array[] };

/** What the gatekeeper asks of the meter around it. */
export type Surroundings = {
  readonly errorForm: ErrorForm;
  reader(): Reader;
  isModern(): boolean;
  now(): Instant;
  closed(call: Call, closing: Closing): void;
  /** A request that waited goes to the server now. */
  resumed(call: Call): void;
};

/**
 * Turns the gate's judgement into what passes and what is said instead. Requests that wait for a counter to
 * refill wait here, in the order they came.
 */
export class Gatekeeper {
  readonly #gate: Gate;
  readonly #around: Surroundings;
  readonly #lines: Lines;
  readonly #waiting = new WaitingRoom();
  /** True when the client will ask no more: nobody can wait for what goes to the server later. */
  #isLastCall = false;

  /** `lines` takes what is said instead. */
  constructor(gate: Gate, around: Surroundings, lines: Lines) {
    this.#gate = gate;
    this.#lines = lines;
    this.#around = around;
  }

  holds(from: Side): boolean {
    return from === "client" ? this.#gate.holdsRequests : this.#gate.holdsAnswers;
  }

  /** When a waiting request is to be looked at again, in wall-clock ms; undefined when none waits. */
  get wakeAtMs(): number | undefined {
    return this.#waiting.wakeAtMs;
  }

  /** True when the request may go to the server now. */
  admit(call: Call, place: Place): boolean {
    return this.#admit(call, place, undefined);
  }

  /** What the client gets of an answer: undefined for the answer as it is, else how the call closes. */
  deliver(call: Call, closing: Closing, place: Place, carrier: Carrier): Closing | undefined {
    const now = this.#circumstances();
    const answer = answerOf(call, closing, place, now.reader);
    const delivery = this.#gate.deliver(call, answer, now);
    if (delivery.kind === "pass") return undefined;
    if (delivery.kind === "replace") {
      this.#lines.client.push(carrier.result(rawIdAt(place), delivery.result));
      return { ...closing, result: delivery.result };
    }
    this.#lines.client.push(this.#refusal(call, delivery.facts, rawIdAt(place), carrier));
    return { outcome: "refused", endedMs: closing.endedMs };
  }

  /** Drops a waiting request that its client takes back. */
  cancel(id: string | number): void {
    const call = this.#waiting.take(id);
    if (call) this.#close(call, "cancelled");
  }

  /** Looks at the waiting requests again. */
  wake(): void {
    for (const waiting of this.#waiting.takeAll()) {
      const { call, bytes } = waiting;
      if (!this.#admit(call, placeOf(waiting), waiting)) continue;
      this.#around.resumed(call);
      this.#lines.server.push(bytes);
    }
  }

  /** The client asks no more, and the server is told so: what still waits is refused. */
  lastCall(): void {
    this.#isLastCall = true;
    this.wake();
  }

  /** Gives up what still waits: there is no server any more. */
  end(): void {
    for (const { call } of this.#waiting.takeAll()) this.#close(call, "abandoned");
  }

  #admit(call: Call, place: Place, waited: Waiting | undefined): boolean {
    const now = this.#circumstances();
    const sinceMs = waited?.sinceMs ?? now.nowMs;
    const asking = {
      call,
      tool: toolOf(call, place),
      mayWaitMs: this.#mayWaitMs(place, sinceMs, now.nowMs),
      isAgain: waited !== undefined,
      hasPassed: place.hasPassed,
    };
    const admission = this.#gate.admit(asking, now);
    if (admission.kind === "pass") return true;
    const bytes = admission.kind === "wait" ? lineAt(place) : undefined;
    if (admission.kind === "wait" && bytes) {
      this.#waiting.add({ call, bytes, sinceMs, untilMs: admission.untilMs });
      return false;
    }
    // Nobody is told about a notification: nobody waits for its answer.
    if (admission.kind === "refuse" && call.id !== undefined) {
      this.#lines.client.push(this.#refusal(call, admission.facts, rawIdAt(place), asItIs));
    }
    this.#close(call, "refused");
    return false;
  }

  /** A request whose bytes were not kept cannot be sent later. */
  #mayWaitMs({ line }: Place, sinceMs: number, nowMs: number): number {
    if (this.#isLastCall || !line.bytes) return 0;
    return this.#waiting.mayWaitMs(line.size, sinceMs, nowMs);
  }

  #refusal(call: Call, facts: RefusalFacts, rawId: string, carrier: Carrier): Uint8Array {
    const text = refusalText(facts);
    if (call.method === "tools/call" && this.#around.errorForm === "tool") {
      return carrier.result(rawId, refusedResult(text, this.#around.isModern()));
    }
    const { reason, budget, spent, tokens } = facts;
    const { limit, per } = budget;
    const { tool } = call.asked;
    const data = { source: "mcp-meter" as const, reason, tool, limit, spent, tokens, per };
    return carrier.error(rawId, refusedError(text, data));
  }

  #circumstances(): Circumstances {
    return { reader: this.#around.reader(), nowMs: this.#around.now().wallMs };
  }

  #close(call: Call, outcome: "refused" | "cancelled" | "abandoned"): void {
    this.#around.closed(call, { outcome, endedMs: this.#around.now().monoMs });
  }
}

function answerOf(
  { method }: Call,
  { result, error }: Closing,
  { line, hasPassed }: Place,
  { profile }: Reader,
): Answer {
  // Of an error that was not read nothing is known but that it is one.
  const isRead = result !== undefined || (isObject(error) && Object.keys(error).length > 0);
  const seen = error === undefined ? describeResult(method, result, profile) : describeError(error);
  const reducible = method === "tools/call" ? result : undefined;
  return {
    result: reducible,
    visible: isRead ? seen.visible : undefined,
    bytes: line.size,
    hasPassed,
  };
}

/** Budgets of tools hold for a request that is too deep to parse, too. */
function toolOf(call: Call, place: Place): string | null {
  if (!call.truncated || call.asked.tool === null) return call.asked.tool;
  return nameAt(place)?.slice(0, nameCharactersMax) ?? null;
}

function placeOf({ bytes }: Waiting): Place {
  const line = { bytes, size: bytes.length, skim: undefined };
  return { line, item: undefined, hasPassed: false };
}
