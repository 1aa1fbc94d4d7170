import { expect, test } from "bun:test";
import * as fc from "fast-check";
import type { Tokenizer } from "#tokens/tokenizer/tokenizer.ts";
import { dataFiles, moduleFiles, trackedFiles } from "./support/files.ts";
import { encodeWithTiktoken, encodings, tokenizer } from "./support/oracle.ts";
import { anyText, anyUnits, mixedText, raggedText, runText, wordText } from "./support/texts.ts";
import { cpuMs } from "../../support/measure.ts";

const RUNS: readonly (readonly [string, fc.Arbitrary<string>, number])[] = [
  ["of every branch after every other", mixedText, 3000],
  ["of any code points", anyText, 1500],
  ["of any code units", anyUnits, 1000],
  ["of runs", runText, 1500],
  ["of long words", wordText, 1000],
  ["of ragged runs", raggedText, 300],
];

for (const encoding of encodings) {
  const ours = await tokenizer(encoding);
  const encode = await encodeWithTiktoken(encoding);

  for (const [name, texts, numRuns] of RUNS) {
    test(`${encoding}: counts as tiktoken does, texts ${name}`, () => {
      fc.assert(
        fc.property(texts, (text) => {
          expect(ours.count(text)).toBe(encode(text).length);
        }),
        { numRuns },
      );
    }, 60_000);
  }

  test(`${encoding}: counts every pair of ASCII characters as tiktoken does`, () => {
    for (let first = 0; first < 128; first++) {
      for (let second = 0; second < 128; second++) {
        const pair = String.fromCharCode(first, second);
        const text = `${pair}a ${pair}1${pair}`;
        if (ours.count(text) !== encode(text).length) expect(text).toBe("counted as tiktoken does");
      }
    }
  });

  for (const [name, files] of [
    [
      "a third of the text files of this repository",
      trackedFiles().filter((_, at) => at % 3 === 0),
    ],
    ["a sample of the text files of its packages", await moduleFiles()],
    ["every captured server", await dataFiles()],
  ] as const) {
    test.skipIf(files.length === 0)(
      `${encoding}: counts ${name} as tiktoken does`,
      async () => {
        for (const file of files) {
          const bytes = await Bun.file(file).bytes();
          const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
          const expected = [file, encode(text).length];
          expect([file, ours.count(text)]).toEqual(expected);
          expect([file, ours.countBytes(bytes)]).toEqual(expected);
        }
      },
      60_000,
    );
  }

  test(`${encoding}: counts bytes that are not UTF-8 as their replacement`, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
        expect(ours.countBytes(bytes)).toBe(encode(text).length);
      }),
      { numRuns: 1000 },
    );
  });

  test(`${encoding}: counts short bombs as tiktoken does`, () => {
    for (const unit of [
      "a",
      "=",
      " ",
      "\n",
      "\t",
      "가",
      "😀",
      "ab",
      "\u0301",
      "中",
      "0",
      "A",
      "\r\n",
      "'",
    ]) {
      for (const length of [1, 2, 159, 160, 161, 1000, 2999]) {
        const text = unit.repeat(length);
        expect([unit, length, ours.count(text)]).toEqual([unit, length, encode(text).length]);
        expectSame(ours, `${text}x ${text}!`, encode);
      }
    }
  });

  test(`${encoding}: within is the count, or undefined above the limit`, async () => {
    fc.assert(
      fc.property(fc.oneof(mixedText, runText), fc.nat(30), (text, limit) => {
        const tokens = encode(text).length;
        expect(ours.countWithin(text, limit)).toBe(tokens <= limit ? tokens : undefined);
      }),
      { numRuns: 1000 },
    );
    for (const text of ["a".repeat(1e6), " ".repeat(1e6), "hello ".repeat(200_000)]) {
      const spent = await cpuMs(() => expect(ours.countWithin(text, 1000)).toBeUndefined());
      expect(spent).toBeLessThan(500);
    }
  });

  test(`${encoding}: counts two and more bombs of 1 MB as their halves`, () => {
    // tiktoken would take minutes; tokens with power-of-two lengths divide a run of 2^20 evenly.
    for (const unit of ["a", "=", "가", "😀"]) {
      const half = ours.count(unit.repeat(2 ** 18));
      expect(Math.abs(ours.count(unit.repeat(2 ** 19)) - 2 * half)).toBeLessThan(3);
    }
  });
}

function expectSame(ours: Tokenizer, text: string, encode: (text: string) => Uint32Array): void {
  if (ours.count(text) !== encode(text).length) {
    expect([text, ours.count(text)]).toEqual([text, encode(text).length]);
  }
}
