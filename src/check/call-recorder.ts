import { attempt } from "#kit/errors.ts";
import { stringifyCompact, isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import type { Id, Message, SingleMessage, Side } from "#wire/message.ts";
import { escapeVariables } from "./variables.ts";
import { findChangedNumber } from "#kit/text/numbers.ts";
import { parseJson } from "./exact-json.ts";
import { openCallsMax } from "#wire/exchange.ts";

type Slot<Call> = {
  readonly key: string;
  call: Call | undefined;
  isOpen: boolean;
};

// Returns calls in the order in which they were opened: each waits for the earlier open ones.
export class CallQueue<Call> {
  readonly #openMax: number;
  readonly #heldMax: number;
  readonly #open = new Map<string, Slot<Call>>();
  readonly #slots = new Set<Slot<Call>>();
  #held = 0;

  constructor({ openMax, heldMax }: { readonly openMax: number; readonly heldMax: number }) {
    this.#openMax = openMax;
    this.#heldMax = heldMax;
  }

  open(key: string, call: Call): Call[] {
    const earlier = this.#open.get(key);
    if (earlier) this.#drop(earlier);
    const [oldest] = this.#open.values();
    if (this.#open.size >= this.#openMax && oldest) this.#drop(oldest);
    const slot = { key, call, isOpen: true };
    this.#open.set(key, slot);
    this.#slots.add(slot);
    return this.#release();
  }

  close(key: string, update: (call: Call) => Call | undefined): Call[] {
    const slot = this.#open.get(key);
    if (slot?.call === undefined) return [];
    this.#open.delete(key);
    slot.isOpen = false;
    slot.call = update(slot.call);
    if (!this.#slots.has(slot)) return slot.call === undefined ? [] : [slot.call];
    this.#held += 1;
    const due = this.#release();
    if (this.#held <= this.#heldMax) return due;
    const [first] = this.#slots;
    return [...due, ...(first ? this.stopWaiting(first.key) : [])];
  }

  // Later calls no longer wait for this one, which is returned late if it is closed after all.
  stopWaiting(key: string): Call[] {
    const slot = this.#open.get(key);
    if (slot) this.#slots.delete(slot);
    return this.#release();
  }

  finish(): Call[] {
    for (const slot of this.#open.values()) this.#slots.delete(slot);
    return this.#release();
  }

  #drop(slot: Slot<Call>): void {
    this.#open.delete(slot.key);
    this.#slots.delete(slot);
  }

  #release(): Call[] {
    const due: Call[] = [];
    for (const slot of this.#slots) {
      if (slot.isOpen) break;
      this.#slots.delete(slot);
      this.#held -= 1;
      if (slot.call !== undefined) due.push(slot.call);
    }
    return due;
  }
}

// Answered calls that wait for the answer to an earlier one, to be recorded in request order.
const recordedCallsHeldMax = 1_000;

export const recordedCallCharactersMax = 64 * 1024;

export type RecordedCall = {
  readonly tool: string;
  // A symbol stands for a number that JavaScript would write differently; it holds the text.
  readonly arguments?: JsonObject;
  readonly isError?: true;
};

export class CallRecorder {
  readonly #queue = new CallQueue<RecordedCall>({
    openMax: openCallsMax,
    heldMax: recordedCallsHeldMax,
  });
  #leftOut = 0;
  #inexact = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  get inexactCalls(): number {
    return this.#inexact;
  }

  take(from: Side, message: Message, text: () => string): readonly RecordedCall[] {
    const messages = message.kind === "batch" ? message.items : [message];
    return messages.flatMap((item, at) =>
      from === "client"
        ? this.#takeRequest(item, () => readArguments(text(), at))
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
      this.#inexact += 1;
      return [];
    }
    const call = isEmpty ? { tool } : { tool, arguments: escapeVariables(exactArguments) };
    return this.#queue.open(makeKey(message.id), call);
  }

  #takeCancellation({
    method,
    params,
  }: SingleMessage & { kind: "notification" }): readonly RecordedCall[] {
    const id = readMember(params, "requestId");
    const isCancelled = method === "notifications/cancelled";
    if (!isCancelled || (typeof id !== "string" && typeof id !== "number")) return [];
    return this.#queue.stopWaiting(makeKey({ value: id }));
  }

  #takeAnswer(message: SingleMessage): readonly RecordedCall[] {
    if (message.kind !== "result" && message.kind !== "error") return [];
    if (message.id === undefined) return [];
    const key = makeKey(message.id);
    if (
      message.kind === "result" &&
      readString(message.result, "resultType") === "input_required"
    ) {
      return this.#queue.close(key, () => undefined);
    }
    const isError = message.kind === "error" || readMember(message.result, "isError") === true;
    return this.#queue.close(key, (call) => (isError ? { ...call, isError } : call));
  }
}

function isTooLong(tool: string, args: JsonObject): boolean {
  return tool.length + stringifyCompact(args).length > recordedCallCharactersMax;
}

function makeKey({ value, raw }: Id): string {
  return `${typeof value} ${raw ?? value}`;
}

const inexactMark = Symbol("inexact");

// Undefined if parsing changes a number. One only written differently (`-0.0`) becomes a symbol.
function readArguments(text: string, at: number): JsonObject | undefined {
  // Some clients write NaN, which is not JSON.
  const message = attempt(() => parseJson(text, markInexact));
  const request: unknown = Array.isArray(message) ? message[at] : message;
  const args = readMember(request, "params", "arguments");
  return isObject(args) && isExact(args) ? args : undefined;
}

function markInexact(source: string, value: number): unknown {
  if (findChangedNumber(source, value) !== undefined) return inexactMark;
  return JSON.stringify(value) === source ? value : Symbol(source);
}

function isExact(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isExact);
  return isObject(value) ? Object.values(value).every(isExact) : value !== inexactMark;
}
