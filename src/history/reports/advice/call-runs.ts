import { parseEightHexDigits, type RepeatRoom } from "../repeat-table.ts";

type OrderedCall = {
  readonly seq: number;
  readonly row: number; // index in `UsageRows`; calls of different tools have different rows
  /** SHA-256 of the arguments. Null if unknown; such a call equals no other. */
  readonly hash: string | null;
  readonly answerTokens: number | null;
};

export type RefusableCalls = { readonly calls: number; readonly tokens: number };

// Two words hold the first 64 bits of the hash; both are 0 if it is unknown.
// The last word is the answer tokens plus 1, or 0 for a refusal.
const [seqWord, rowWord, highWord, lowWord, answerWord] = [0, 1, 2, 3, 4];
const wordsPerCall = 5;

const initialCapacity = 16;

const maxStored = 0xffff_fffe;

export class CallRuns {
  readonly #room: RepeatRoom;
  #calls = new Uint32Array(initialCapacity * wordsPerCall);
  #size = 0;
  #isComplete = true;
  #isSorted = true;

  constructor(room: RepeatRoom) {
    this.#room = room;
  }

  add({ seq, row, hash, answerTokens }: OrderedCall): void {
    const isStored = seq <= maxStored && (answerTokens ?? 0) < maxStored && this.#room.reserve();
    if (!isStored) {
      this.#isComplete = false;
      return;
    }
    const at = this.#size * wordsPerCall;
    if (at === this.#calls.length) this.#grow();
    // Writes the words one by one, because an array per call would create garbage for every record.
    const calls = this.#calls;
    calls[at + seqWord] = seq;
    calls[at + rowWord] = row;
    calls[at + highWord] = hash === null ? 0 : parseEightHexDigits(hash, 0);
    calls[at + lowWord] = hash === null ? 0 : parseEightHexDigits(hash, 8);
    calls[at + answerWord] = answerTokens === null ? 0 : answerTokens + 1;
    if (this.#size > 0 && seq < this.#read(this.#size - 1, seqWord)) this.#isSorted = false;
    this.#size += 1;
  }

  /** Calls that `maxRepeats` refuses, by row. None if a call was left out: its neighbors would seem consecutive. */
  findRefusable(
    maxRepeats: number,
    visitRepeat?: (row: number) => void, // for each call directly after an equal one, except calls recorded as refused
  ): ReadonlyMap<number, RefusableCalls> {
    const refusals = new Map<number, RefusableCalls>();
    if (!this.#isComplete) return refusals;
    let previous: number | undefined;
    let runLength = 0;
    const order = this.#sortCalls();
    for (let index = 0; index < this.#size; index += 1) {
      const at = order?.[index] ?? index;
      const isRepeat = previous !== undefined && this.#areEqual(previous, at);
      runLength = isRepeat ? runLength + 1 : 1;
      previous = at;
      const [row, answer] = [this.#read(at, rowWord), this.#read(at, answerWord)];
      if (answer === 0) continue;
      if (isRepeat) visitRepeat?.(row);
      if (runLength <= maxRepeats) continue;
      const { calls, tokens } = refusals.get(row) ?? { calls: 0, tokens: 0 };
      refusals.set(row, { calls: calls + 1, tokens: tokens + answer - 1 });
    }
    return refusals;
  }

  #sortCalls(): Uint32Array | undefined {
    if (this.#isSorted) return undefined;
    const order = new Uint32Array(this.#size);
    for (let index = 0; index < order.length; index += 1) order[index] = index;
    return order.toSorted((a, b) => this.#read(a, seqWord) - this.#read(b, seqWord));
  }

  #areEqual(a: number, b: number): boolean {
    const [high, low] = [this.#read(a, highWord), this.#read(a, lowWord)];
    return (
      (high !== 0 || low !== 0) &&
      this.#read(a, rowWord) === this.#read(b, rowWord) &&
      high === this.#read(b, highWord) &&
      low === this.#read(b, lowWord)
    );
  }

  #read(at: number, word: number): number {
    return this.#calls[at * wordsPerCall + word] ?? 0;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#calls.length * 2);
    larger.set(this.#calls);
    this.#calls = larger;
  }
}
