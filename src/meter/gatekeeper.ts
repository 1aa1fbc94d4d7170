import { throttledCallsMax } from "#limits.ts";
import type { Line } from "#wire/line.ts";
import { arrayElements } from "#wire/elements.ts";
import { refusedResult, resultLine, rpcRefusal } from "#wire/refusal.ts";
import { memberOf, skimBytes } from "#wire/skim.ts";
import type { Call } from "./call.ts";
import type { Closing } from "./draft.ts";
import type { Gate } from "./gate.ts";
import { answeredOf, erroredOf } from "./parts.ts";
import type { Reader } from "./reader.ts";
import type { Instant } from "./recorder.ts";
import { type RefusalFacts, refusalText } from "./refusal-text.ts";

/** How a refusal of a tool call looks: the tool's own error, or a JSON-RPC error. */
export type ErrorForm = "tool" | "rpc";

/** The line being judged; `item` is the index in its batch. */
export type Place = { readonly line: Line; readonly item: number | undefined };

/** Puts a result of ours where the answer carries one: as it is, or inside a task's state. */
export type Carrier = (result: unknown) => unknown;

/** Lines of ours, by who gets them. */
export type Lines = { readonly client: Uint8Array[]; readonly server: Uint8Array[] };

type Waiting = { readonly call: Call; readonly bytes: Uint8Array; readonly untilMs: number };

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
 * Turns the gate's judgement into what passes and what is said instead. Requests that wait for a purse to
 * refill wait here, in the order they came.
 */
export class Gatekeeper {
  readonly #gate: Gate;
  readonly #around: Surroundings;
  readonly #lines: Lines;
  #waiting: Waiting[] = [];

  /** `lines` takes what is said instead. */
  constructor(gate: Gate, around: Surroundings, lines: Lines) {
    this.#gate = gate;
    this.#lines = lines;
    this.#around = around;
  }

  /** When a waiting request is to be looked at again, in wall-clock ms; undefined when none waits. */
  get wakeAtMs(): number | undefined {
    return this.#waiting.length === 0
      ? undefined
      : Math.min(...this.#waiting.map(({ untilMs }) => untilMs));
  }

  /** True when the request may go to the server now. */
  admit(call: Call, place: Place): boolean {
    const { wallMs } = this.#around.now();
    const admission = this.#gate.admit(call, this.#around.reader(), wallMs, this.#isFull);
    if (admission.kind === "pass") return true;
    if (admission.kind === "wait") {
      const { untilMs } = admission;
      this.#waiting.push({ call, bytes: requestBytes(place), untilMs });
      return false;
    }
    this.#refuse(call, admission.facts, place, asItIs);
    this.#close(call, "refused");
    return false;
  }

  /** What the client gets of an answer: undefined for the answer as it is, else how the call closes. */
  deliver(call: Call, closing: Closing, place: Place, carrier: Carrier): Closing | undefined {
    const reader = this.#around.reader();
    const { result, error } = closing;
    const isRead = result !== undefined || error !== undefined;
    const seen =
      error === undefined ? answeredOf(call.method, result, reader.profile) : erroredOf(error);
    const answer = { result, visible: isRead ? seen.visible : undefined, bytes: place.line.size };
    const { wallMs } = this.#around.now();
    const delivery = this.#gate.deliver(call, answer, reader, wallMs);
    if (delivery.kind === "pass") return undefined;
    if (delivery.kind === "replace") {
      this.#lines.client.push(resultLine(rawIdOf(place), carrier(delivery.result)));
      return { ...closing, result: delivery.result };
    }
    this.#refuse(call, delivery.facts, place, carrier);
    return { outcome: "refused", endedMs: closing.endedMs };
  }

  /** Drops a waiting request that its client takes back. */
  cancel(id: string | number): void {
    const found = this.#waiting.find(({ call }) => call.id?.value === id);
    if (!found) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== found);
    this.#close(found.call, "cancelled");
  }

  /** Looks at the waiting requests again. */
  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { call, bytes } of waiting) {
      const line: Line = { bytes, size: bytes.length, skim: undefined };
      if (!this.admit(call, { line, item: undefined })) continue;
      this.#around.resumed(call);
      this.#lines.server.push(bytes);
    }
  }

  /** Gives up what still waits: there is no server any more. */
  end(): void {
    for (const { call } of this.#waiting) this.#close(call, "abandoned");
    this.#waiting = [];
  }

  /** Nobody is told about a notification: nobody waits for its answer. */
  #refuse(call: Call, facts: RefusalFacts, place: Place, carrier: Carrier): void {
    if (call.id === undefined) return;
    this.#lines.client.push(this.#refusal(call, facts, rawIdOf(place), carrier));
  }

  get #isFull(): boolean {
    return this.#waiting.length >= throttledCallsMax;
  }

  #refusal(call: Call, facts: RefusalFacts, rawId: string, carrier: Carrier): Uint8Array {
    const text = refusalText(facts);
    if (call.method === "tools/call" && this.#around.errorForm === "tool") {
      return resultLine(rawId, carrier(refusedResult(text, this.#around.isModern())));
    }
    const { reason, budget, spent, tokens } = facts;
    return rpcRefusal(rawId, text, {
      source: "mcp-meter",
      reason,
      tool: call.asked.tool,
      limit: budget.limit,
      spent,
      tokens,
      per: budget.per,
    });
  }

  #close(call: Call, outcome: "refused" | "cancelled" | "abandoned"): void {
    this.#around.closed(call, { outcome, endedMs: this.#around.now().monoMs });
  }
}

/** The carrier of a result that is the answer itself. */
export const asItIs: Carrier = (result) => result;

/** The id of the message in a line, byte for byte as it was written. */
function rawIdOf({ line, item }: Place): string {
  const skim = line.bytes ? skimBytes(messageBytes(line.bytes, item)) : line.skim;
  return (skim && memberOf(skim, "id")?.text) ?? "null";
}

/** A request as a line of its own. */
function requestBytes({ line, item }: Place): Uint8Array {
  const bytes = messageBytes(line.bytes ?? new Uint8Array(), item);
  if (bytes.at(-1) === 0x0a) return bytes;
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  ended[bytes.length] = 0x0a;
  return ended;
}

function messageBytes(bytes: Uint8Array, item: number | undefined): Uint8Array {
  if (item === undefined) return bytes;
  const [start, end] = arrayElements(bytes)[item] ?? [0, 0];
  return bytes.subarray(start, end);
}
