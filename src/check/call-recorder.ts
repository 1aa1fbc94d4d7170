import { attempt } from "#kit/errors.ts";
import { stringifyCompact, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import type { Id, Message, SingleMessage, Side } from "#wire/message.ts";
import { escapeVariables } from "./variables.ts";
import { findChangedNumber } from "#kit/text/numbers.ts";
import { parseConvertingNumbers } from "#wire/written-json.ts";
import { Exchanges, openCallsMax, readCancelledId } from "#wire/pair-answers.ts";

type Slot<Call> = { call: Call | undefined; isOpen: boolean };

type QueueLimits = { readonly openMax: number; readonly answeredMax: number };

// Returns answered calls in the order of their requests. If an open call holds up more than `answeredMax` answered
// calls, they no longer wait for it.
export class CallQueue<Call> {
  readonly #exchanges: Exchanges<Slot<Call>>;
  readonly #answeredMax: number;
  // Open calls, and answered ones that wait for them, in the order of their requests.
  readonly #ordered = new Set<Slot<Call>>();
  #waiting = 0;
  #abandoned = 0;

  constructor({ openMax, answeredMax }: QueueLimits) {
    this.#exchanges = new Exchanges(openMax);
    this.#answeredMax = answeredMax;
  }

  get abandoned(): number {
    return this.#abandoned;
  }

  open(id: Id, call: Call): Call[] {
    const slot = { call, isOpen: true };
    this.#ordered.add(slot);
    const droppedSlot = this.#exchanges.open("client", id, slot);
    if (!droppedSlot) return [];
    this.#abandoned += 1;
    this.#ordered.delete(droppedSlot);
    return this.#release();
  }

  answer(id: Id, update: (call: Call) => Call | undefined): Call[] {
    const slot = this.#exchanges.close("client", id)?.call;
    if (slot?.call === undefined) return [];
    slot.isOpen = false;
    slot.call = update(slot.call);
    if (!this.#ordered.has(slot)) return slot.call === undefined ? [] : [slot.call];
    this.#waiting += 1;
    const due = this.#release();
    if (this.#waiting <= this.#answeredMax) return due;
    const [first] = this.#ordered;
    if (first) this.#ordered.delete(first);
    return [...due, ...this.#release()];
  }

  cancel(id: Id): Call[] {
    const slot = this.#exchanges.cancel("client", id);
    if (slot) this.#ordered.delete(slot);
    return this.#release();
  }

  finish(): Call[] {
    for (const slot of this.#exchanges.drain()) this.#ordered.delete(slot);
    return this.#release();
  }

  #release(): Call[] {
    const due: Call[] = [];
    for (const slot of this.#ordered) {
      if (slot.isOpen) break;
      this.#ordered.delete(slot);
      this.#waiting -= 1;
      if (slot.call !== undefined) due.push(slot.call);
    }
    return due;
  }
}

const waitingCallsMax = 1_000;

export const recordedCallCharactersMax = 64 * 1024;

export type RecordedCall = {
  readonly tool: string;
  // A symbol stands for a number that JavaScript would write differently, and holds the original text.
  readonly arguments?: JsonObject;
  readonly isError?: true;
};

export class CallRecorder {
  readonly #queue = new CallQueue<RecordedCall>({
    openMax: openCallsMax,
    answeredMax: waitingCallsMax,
  });
  #leftOut = 0;
  #inexactCalls = 0;

  get leftOut(): number {
    return this.#leftOut + this.#queue.abandoned;
  }

  get inexactCalls(): number {
    return this.#inexactCalls;
  }

  take(from: Side, message: Message, text: () => string): readonly RecordedCall[] {
    const messages = message.kind === "batch" ? message.items : [message];
    let parsed: { readonly exact: unknown } | undefined;
    const parseOnce = (): unknown => (parsed ??= { exact: parseExact(text()) }).exact;
    return messages.flatMap((item, at) =>
      from === "client"
        ? this.#takeRequest(item, () => readArguments(parseOnce(), at))
        : this.#takeAnswer(item),
    );
  }

  finish(): readonly RecordedCall[] {
    return this.#queue.finish();
  }

  #takeRequest(
    message: SingleMessage,
    readExactArguments: () => JsonObject | undefined,
  ): readonly RecordedCall[] {
    if (message.kind === "notification") return this.#takeCancellation(message);
    if (message.kind !== "request" || message.method !== "tools/call") return [];
    const tool = readString(message.params, "name");
    const args = readMember(message.params, "arguments") ?? {};
    const isRecordable = tool !== undefined && isObject(args) && !isTooLong(tool, args);
    if (!isRecordable) {
      this.#leftOut += 1;
      return [];
    }
    const isEmpty = Object.keys(args).length === 0;
    const exactArguments = isEmpty ? {} : readExactArguments();
    if (!exactArguments) {
      this.#inexactCalls += 1;
      return [];
    }
    const call = isEmpty ? { tool } : { tool, arguments: escapeVariables(exactArguments) };
    return this.#queue.open(message.id, call);
  }

  #takeCancellation({
    method,
    params,
  }: SingleMessage & { kind: "notification" }): readonly RecordedCall[] {
    const id = method === "notifications/cancelled" ? readCancelledId(params) : undefined;
    return id ? this.#queue.cancel(id) : [];
  }

  #takeAnswer(message: SingleMessage): readonly RecordedCall[] {
    if (message.kind !== "result" && message.kind !== "error") return [];
    if (message.id === undefined) return [];
    const { id } = message;
    if (
      message.kind === "result" &&
      readString(message.result, "resultType") === "input_required"
    ) {
      // The client repeats this call with the required input, so only the repetition is recorded.
      return this.#queue.answer(id, () => undefined);
    }
    const isError = message.kind === "error" || readMember(message.result, "isError") === true;
    return this.#queue.answer(id, (call) => (isError ? { ...call, isError } : call));
  }
}

function isTooLong(tool: string, args: JsonObject): boolean {
  return tool.length + stringifyCompact(args).length > recordedCallCharactersMax;
}

const inexactMark = Symbol("inexact");

// Undefined for invalid JSON, such as the NaN that some clients write.
function parseExact(text: string): unknown {
  return attempt(() => parseConvertingNumbers(text, convertNumber));
}

function readArguments(message: unknown, batchIndex: number): JsonObject | undefined {
  const request: unknown = Array.isArray(message) ? message[batchIndex] : message;
  const args = readMember(request, "params", "arguments");
  return isObject(args) && isExact(args) ? args : undefined;
}

// If JavaScript changes the value, returns `inexactMark`. If JavaScript changes only the spelling, such as `1.0` to
// `1`, returns a symbol with the original text.
function convertNumber(source: string, value: number): unknown {
  if (findChangedNumber(source, value) !== undefined) return inexactMark;
  return JSON.stringify(value) === source ? value : Symbol(source);
}

function isExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExact);
  return isObject(value) ? Object.values(value).every(isExact) : value !== inexactMark;
}
