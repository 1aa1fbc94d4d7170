import { Feed } from "#tokenizer/feed.ts";
import { PieceCounter } from "#tokenizer/piece-counter.ts";
import { type PieceEnd, TextCount } from "#tokenizer/text-count.ts";
import type { Vocabulary } from "#tokenizer/vocabulary.ts";

/** Adds up reads of class flags (steps of the scanner), bytes merged, and bytes encoded or moved. */
export type Work = { done: number };

/** A count of `text` that keeps account of its work: in tables and texts that notice being read. */
export function beginWatched(
  vocabulary: Vocabulary,
  pieceEnd: PieceEnd,
  text: string,
): { counting: TextCount; work: Work } {
  const work: Work = { done: 0 };
  const watched: Vocabulary = Object.create(vocabulary, {
    classes: { value: watchReads(vocabulary.classes, work) },
    bytePairs: { value: watchReads(vocabulary.bytePairs, work) },
  });
  class WatchedFeed extends Feed {
    override more(from: number): void {
      super.more(from);
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

/** Bytes of the arrays that can be reached from `root`, but for the packed vocabulary. */
export function heldBytes(root: object, { classes }: Vocabulary): number {
  const seen = new Set<unknown>([classes.buffer]);
  const visit = (value: unknown): number => {
    if (typeof value !== "object" || value === null || seen.has(value)) return 0;
    seen.add(value);
    if (ArrayBuffer.isView(value)) return visit(value.buffer);
    if (value instanceof ArrayBuffer) return value.byteLength;
    const own = Array.isArray(value) ? value.length * 8 : 0;
    return Object.values(value).reduce((sum: number, part) => sum + visit(part), own);
  };
  return visit(root);
}
