import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { encodeWithTiktoken, ENCODINGS, tokenizer } from "./support/oracle.ts";
import { anyText, anyUnits, mixedText, runText, wordText } from "./support/texts.ts";

const RUNS: readonly (readonly [string, fc.Arbitrary<string>, number])[] = [
  ["of every branch after every other", mixedText, 6000],
  ["of any code points", anyText, 3000],
  ["of any code units", anyUnits, 1000],
  ["of runs", runText, 1500],
  ["of long words", wordText, 1000],
];

for (const encoding of ENCODINGS) {
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
}
