import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { boundCeiling, countCeiling } from "#tokens/cost/count-parts.ts";
import {
  readingBytesBase,
  readingBytesPerByte,
} from "#tokens/cost/client-profiles/unknown-readings.ts";
import { describeResult } from "#tokens/cost/describe-calls.ts";
import { makeAnswerContext, pickCeiling } from "#tokens/cost/visibility.ts";
import { makeVocabularyEstimator } from "#tokens/estimators/bpe.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { hasUnusualNumbers, parseWithNotes, stringifyAsWritten } from "#wire/written-json.ts";
import type { Part, TextPart } from "#tokens/cost/client-profiles/block.ts";
import { pythonDumps } from "../../../support/max-tokens.ts";
import { makeCountingReader } from "../../../support/readers.ts";
import { plainReader } from "../../../support/plain-reader.ts";
import { noRequestFacts } from "../../../support/readings.ts";
import { unknownBlock } from "../../../support/client-reads.ts";

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom('"\\"', "\u0001\u007f", "天気", "é", "😀", "\ud800", ", : ", "1.0"),
);
const optional = { requiredKeys: [] };
const annotations = fc.record({ audience: fc.array(text), priority: fc.double() }, optional);
const icons = fc.array(fc.record({ src: text, mimeType: text }, optional));
const block = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom("text", "resource_link", "resource", "words", "audio"),
      text,
      uri: text,
      name: text,
      resource: fc.record({ uri: text, text, blob: text, mimeType: text }, optional),
      annotations,
      icons,
      _meta: fc.jsonValue(),
    },
    optional,
  ),
  fc.jsonValue(),
);
const results = fc.oneof(
  fc.record({ content: fc.array(block), structuredContent: fc.jsonValue() }, optional),
  fc.record({ messages: fc.array(fc.record({ role: text, content: block })), description: text }),
  fc.record({ contents: fc.array(fc.record({ uri: text, text, mimeType: text }, optional)) }),
);
const methods = ["tools/call", "prompts/get", "resources/read"] as const;

const reader = plainReader("somebody");
const countJsonBytes = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));
const bound = (bytes: number): number => bytes * readingBytesPerByte + readingBytesBase;
const count = (of: string): number => reader.estimator.count(of);

const isShown = (part: Part): part is TextPart =>
  part.kind === "text" && !part.text.startsWith(unknownBlock);

const findCeiling = (method: string, result: unknown) =>
  pickCeiling(describeResult(method, result, makeAnswerContext(reader, noRequestFacts)));

describe("the ceiling for an unknown client", () => {
  test("has no text with more bytes than the bound of its line, media and errors of clients aside", () => {
    fc.assert(
      fc.property(results, fc.constantFrom(...methods), (result, method) => {
        const texts = findCeiling(method, result).map((readings) => {
          const bytes = readings.map((parts) =>
            parts.reduce(
              (sum, part) => sum + (isShown(part) ? Buffer.byteLength(part.text) : 0),
              0,
            ),
          );
          return Math.max(...bytes);
        });
        const most = texts.reduce((sum, bytes) => sum + bytes, 0);
        expect(most).toBeLessThanOrEqual(bound(countJsonBytes(result)));
      }),
      { numRuns: 800 },
    );
  });

  test("costs at most its bound, by vocabulary too", () => {
    for (const knownReader of [reader, { ...reader, estimator: makeCountingReader().estimator }]) {
      fc.assert(
        fc.property(results, fc.constantFrom(...methods), (result, method) => {
          const ceiling = findCeiling(method, result);
          expect(countCeiling(ceiling, knownReader)).toBeLessThanOrEqual(
            boundCeiling(ceiling, knownReader),
          );
        }),
        { numRuns: 300 },
      );
    }
  });

  test("is at least each reading of the blocks, and of any mixture of them", () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1 }), (content) => {
        const most = countCeiling(findCeiling("tools/call", { content }), reader);
        for (const write of [JSON.stringify, pythonDumps]) {
          const total = content.reduce<number>((sum, item) => sum + count(write(item) ?? ""), 0);
          expect(most).toBeGreaterThanOrEqual(total);
        }
      }),
    );
  });
});

test("of plain text the JSON of Python costs at least as much as the compact one", () => {
  const o200k = makeVocabularyEstimator("o200k", "o200k_base", { loadTokenizer });
  const plain = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(plain, (of) => {
      const shown = { annotations: null, _meta: null, type: "text", text: of };
      const [spaced, compact] = [pythonDumps(shown), JSON.stringify(shown)];
      expect(o200k.count(spaced)).toBeGreaterThan(o200k.count(compact));
      expect(count(spaced)).toBeGreaterThanOrEqual(count(compact));
    }),
  );
});

describe("numbers", () => {
  test("are written as they came, or as Python writes them", () => {
    const json = '{"a":[1.0,1e400,-0,12345678901234567890,7],"b":{"c":2.50},"d":1e15}';
    expect(hasUnusualNumbers(json)).toBe(true);
    expect(stringifyAsWritten(parseWithNotes(json))).toBe(
      '{"a":[1.0,-9e99999,-0,12345678901234567890,7],"b":{"c":2.50},"d":1000000000000000.0}',
    );
  });

  test("that are usual are not noted, and the value is that of JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(parseWithNotes(json)).toEqual(JSON.parse(json));
      }),
    );
    expect(hasUnusualNumbers('{"a":[1,2,"3.5"],"b":-7}')).toBe(false);
  });
});
