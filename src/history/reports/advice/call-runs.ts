import { parseEightHexDigits, type RepeatRoom } from "../repeat-table.ts";
import type { ImportedCallRecord, CallRecord, CountedCall } from "#records/record.ts";
import { noBlocks } from "#tokens/cost/client-profiles/block.ts";

type OrderedCall = {
  readonly seq: number;
  readonly row: number;
  /** SHA-256 of the arguments; null if unknown, and then unequal to all others. */
  readonly hash: string | null;
  readonly answerTokens: number | null;
};

export type RefusableCalls = { readonly calls: number; readonly tokens: number };

// Sequence, row, two parts of the hash, and the answer tokens plus 1, or 0 if refused.
const wordsPerCall = 5;
const firstCalls = 16;
const maxStored = 0xffff_fffe;

export class CallRuns {
  readonly #room: RepeatRoom;
  #calls = new Uint32Array(firstCalls * wordsPerCall);
  #size = 0;
  #isComplete = true;
  #isSorted = true;

  constructor(room: RepeatRoom) {
    this.#room = room;
  }

  add({ seq, row, hash, answerTokens }: OrderedCall): void {
    const isStored = seq <= maxStored && (answerTokens ?? 0) < maxStored && this.#room.take();
    if (!isStored) {
      this.#isComplete = false;
      return;
    }
    const at = this.#size * wordsPerCall;
    if (at === this.#calls.length) this.#grow();
    // Word by word: an array per call would create garbage for every record.
    const calls = this.#calls;
    if (this.#size > 0 && seq < this.#read(this.#size - 1, 0)) this.#isSorted = false;
    calls[at] = seq;
    calls[at + 1] = row;
    calls[at + 2] = hash === null ? 0 : parseEightHexDigits(hash, 0);
    calls[at + 3] = hash === null ? 0 : parseEightHexDigits(hash, 8);
    calls[at + 4] = answerTokens === null ? 0 : answerTokens + 1;
    this.#size += 1;
  }

  // Empty if a call was left out, because the calls around it would look adjacent.
  findRefusable(
    max: number,
    visitRepeat?: (row: number) => void, // for each call directly after an equal one
  ): ReadonlyMap<number, RefusableCalls> {
    const refusals = new Map<number, RefusableCalls>();
    if (!this.#isComplete) return refusals;
    let before: number | undefined;
    let times = 0;
    const order = this.#sortCalls();
    for (let index = 0; index < this.#size; index += 1) {
      const at = order?.[index] ?? index;
      times = before !== undefined && this.#isSame(before, at) ? times + 1 : 1;
      before = at;
      const [row, answer] = [this.#read(at, 1), this.#read(at, 4)];
      if (answer === 0) continue;
      if (times > 1) visitRepeat?.(row);
      if (times <= max) continue;
      const { calls, tokens } = refusals.get(row) ?? { calls: 0, tokens: 0 };
      refusals.set(row, { calls: calls + 1, tokens: tokens + answer - 1 });
    }
    return refusals;
  }

  #sortCalls(): Uint32Array | undefined {
    if (this.#isSorted) return undefined;
    const order = new Uint32Array(this.#size);
    for (let index = 0; index < order.length; index += 1) order[index] = index;
    return order.toSorted((a, b) => this.#read(a, 0) - this.#read(b, 0));
  }

  #isSame(a: number, b: number): boolean {
    for (let offset = 1; offset <= 3; offset += 1) {
      if (this.#read(a, offset) !== this.#read(b, offset)) return false;
    }
    return this.#read(a, 2) !== 0 || this.#read(a, 3) !== 0;
  }

  #read(at: number, offset: number): number {
    return this.#calls[at * wordsPerCall + offset] ?? 0;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#calls.length * 2);
    larger.set(this.#calls);
    this.#calls = larger;
  }
}

export type AdvisedCall = Pick<
  CallRecord,
  | "session_id"
  | "seq"
  | "server"
  | "tool"
  | "method"
  | "outcome"
  | "output_tokens"
  | "total_tokens"
  | "duplicate_tokens"
  | "wire_tokens"
  | "blocks"
  | "arguments_sha256"
  | "overhead"
> &
  Pick<CountedCall, "list_change">;

export function convertImport(call: ImportedCallRecord): AdvisedCall {
  const { session_id, seq, server, tool, method, outcome, arguments_sha256 } = call;
  const output = call.output_tokens ?? 0;
  return {
    session_id,
    seq,
    server,
    tool,
    method,
    outcome,
    output_tokens: output,
    total_tokens: (call.input_tokens ?? 0) + output,
    duplicate_tokens: 0,
    wire_tokens: output,
    blocks: noBlocks,
    arguments_sha256,
    overhead: null,
  };
}
