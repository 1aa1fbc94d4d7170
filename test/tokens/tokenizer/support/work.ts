import type { PieceEnd } from "#tokens/tokenizer/engine.ts";
import { Feed } from "#tokens/tokenizer/feed.ts";
import { PieceCounter } from "#tokens/tokenizer/piece-counter.ts";
import { TextCount } from "#tokens/tokenizer/text-count.ts";
import { Vocabulary } from "#tokens/tokenizer/vocabulary.ts";

export type Work = { done: number };

export function beginWatched(
  file: ArrayBuffer,
  pieceEnd: PieceEnd,
  text: string,
): { counting: TextCount; work: Work } {
  const work: Work = { done: 0 };
  class WatchedVocabulary extends Vocabulary {
    override readonly classes = watchReads(new Vocabulary(file).classes, work);
    override readonly bytePairs = watchReads(new Vocabulary(file).bytePairs, work);
  }
  const watched = new WatchedVocabulary(file);
  class WatchedFeed extends Feed {
    override readSlice(from: number): void {
      super.readSlice(from);
      work.done += this.end;
    }
  }
  const engine = { vocabulary: watched, pieceEnd, pieces: new PieceCounter(watched) };
  return { counting: new TextCount(engine, new WatchedFeed(text)), work };
}

function watchReads<Table extends object>(table: Table, work: Work): Table {
  return new Proxy(table, {
    get(target, key) {
      work.done++;
      return Reflect.get(target, key);
    },
  });
}

export function allocatedBytes(action: () => void): number {
  const { Uint8Array: Bytes, Int32Array: Words, Float64Array: Doubles } = globalThis;
  let allocated = 0;
  const watch = <Kind extends new (...args: never[]) => ArrayBufferView>(kind: Kind): Kind =>
    new Proxy(kind, {
      construct(target, args) {
        const array = Reflect.construct(target, args);
        allocated += array.byteLength;
        return array;
      },
    });
  Object.assign(globalThis, {
    Uint8Array: watch(Bytes),
    Int32Array: watch(Words),
    Float64Array: watch(Doubles),
  });
  try {
    action();
  } finally {
    Object.assign(globalThis, { Uint8Array: Bytes, Int32Array: Words, Float64Array: Doubles });
  }
  return allocated;
}
