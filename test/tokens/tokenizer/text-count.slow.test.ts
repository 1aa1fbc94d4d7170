import * as fc from "fast-check";
import { describe, expect, test } from "bun:test";
import { bufferBytes, Feed } from "#tokens/tokenizer/feed.ts";
import { findPieceEndO200k } from "#tokens/tokenizer/tokenizer.ts";
import { Merge } from "#tokens/tokenizer/merge.ts";
import { PieceCounter } from "#tokens/tokenizer/piece-counter.ts";
import { type FindPieceEnd, TextCount } from "#tokens/tokenizer/text-count.ts";
import { bombs } from "./support/bombs.ts";
import { encodings, tokenizer, vocabulary, vocabularyFile } from "./support/oracle.ts";
import { mixedText, runText } from "./support/texts.ts";
import { Vocabulary } from "#tokens/tokenizer/vocabulary.ts";

const manySlices = fc
  .array(fc.tuple(fc.oneof(mixedText, runText), fc.nat(3000)), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([unit, times]) => unit.repeat(times)).join(""));

for (const encoding of encodings) {
  describe(encoding, async () => {
    const ours = await tokenizer(encoding);

    test("TextCount counts the same in slices as at once", () => {
      fc.assert(
        fc.property(manySlices, fc.integer({ min: 300, max: 70_000 }), (text, work) => {
          const counting = ours.begin(text);
          let tokens = 0;
          while (!counting.advance(work)) {
            expect(counting.tokens).toBeGreaterThanOrEqual(0);
            tokens = counting.tokens;
          }
          expect(counting.tokens).toBe(ours.count(text));
          expect(tokens).toBeLessThanOrEqual(counting.tokens + 128);
        }),
        { numRuns: 25 },
      );
    }, 30_000);

    test("TextCount lets several counts take turns", () => {
      const texts = ["a".repeat(50_000), "hello world ".repeat(5000), "한글".repeat(9000)];
      const counts = texts.map((text) => ours.begin(text));
      const open = new Set(counts);
      while (open.size > 0) {
        for (const counting of open) if (counting.advance(1000)) open.delete(counting);
      }
      expect(counts.map(({ tokens }) => tokens)).toEqual(texts.map((text) => ours.count(text)));
    });
  });
}

const workMax = 65_536;
const contents = await vocabularyFile("o200k_base");
const ours = await tokenizer("o200k_base");
const view = await vocabulary("o200k_base");

for (const [name, bomb] of Object.entries(bombs)) {
  test(`TextCount does about the work it is asked for at a time: ${name}`, () => {
    const text = bomb(2 ** 19);
    const { counting, work } = beginWatched(contents, findPieceEndO200k, text);
    let most = 0;
    let calls = 0;
    for (let isDone = false; !isDone; calls++) {
      const before = work.done;
      isDone = counting.advance(workMax);
      most = Math.max(most, work.done - before);
    }
    expect(counting.tokens).toBe(ours.count(text));
    expect(calls).toBeGreaterThan(6);
    // A run cannot stop within its slice, and each byte is moved, scanned and merged.
    expect(most).toBeLessThan(4 * workMax);
  });

  test(`TextCount of 8 MiB holds little of it in memory: ${name}`, () => {
    const text = bomb(2 ** 23);
    let pieces: PieceCounter | undefined;
    const bytes = allocatedBytes(() => {
      pieces = new PieceCounter(view);
      const engine = { vocabulary: view, findEnd: findPieceEndO200k, pieces };
      const counting = new TextCount(engine, new Feed(text));
      while (!counting.advance(2 ** 20));
    });
    expect(bytes).toBeGreaterThan(bufferBytes);
    expect(bytes).toBeLessThan(2 ** 19);
    expect(pieces?.merge.ends).toHaveLength(new Merge(view).ends.length);
  }, 20_000);
}

type Work = { done: number };

function beginWatched(
  file: ArrayBuffer,
  findEnd: FindPieceEnd,
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
  const engine = { vocabulary: watched, findEnd, pieces: new PieceCounter(watched) };
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

function allocatedBytes(action: () => void): number {
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
