import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { findProfile } from "#tokens/cost/client-profiles/recognize-client.ts";
import { defaultFamily } from "#tokens/cost/models.ts";
import { countParts } from "#tokens/cost/count-parts.ts";
import { makeAnswerContext, describeToolResult } from "#tokens/cost/visibility.ts";
import { replaceNonFinite } from "#wire/written-json.ts";
import { isJsonText } from "#tokens/estimators/scaled.ts";
import { estimatorIds, isEstimatorId } from "#tokens/estimators/ids.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { pickDefinitionFormula } from "#tokens/cost/estimator.ts";
import type { Counting } from "#tokens/tokenizer/tokenizer.ts";
import { forbidden, tiktoken, unitsOnly } from "./support/counters.ts";
import { noRequestFacts } from "../../support/readings.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.json(),
);

const hardTexts = [
  ["special tokens", "<|endoftext|><|im_start|>"],
  ["a lone surrogate", "\ud800"],
  ["surrogates the wrong way round", "a\udc00b\ud800"],
  ["control characters", "\u0000\u0007\u2028"],
  ["white space", " \n\t \r\n"],
  ["joined emoji and combining marks", "👩‍👩‍👧‍👦é́"],
  ["a long run", "=".repeat(2000)],
] as const;

// Values that grow when serialized again, or that are expensive for their length.
const growing = fc.oneof(
  fc
    .tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -9, max: 22 }))
    .map(([digits, exponent]) => `${digits}e${exponent}`),
  fc.constantFrom(
    "1e20",
    "-9e20",
    "1e-6",
    "NaN",
    "-Infinity",
    "{}",
    "[]",
    "0",
    '""',
    '"\\ud800"',
    '"\\u0001"',
    "null",
  ),
);
const growingList = fc.array(growing, { maxLength: 400 }).map((values) => `[${values.join(",")}]`);

const badBytes = fc.uint8Array({ min: 0x80, max: 0xff, maxLength: 400 });

const growingLine = fc
  .tuple(growingList, growingList, badBytes, fc.boolean())
  .map(([content, structured, bad, isStructured]) =>
    Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"content":${content},"x":"`),
      bad,
      Buffer.from(isStructured ? `","structuredContent":{"a":${structured}}}}` : '"}}'),
    ]),
  );

test.each([
  ["claude-legacy", 118, 497, "medium"],
  ["gemini", 107, undefined, "low"],
] as const)(
  "%s: o200k and a share, and what having tools costs",
  (id, tokens, tokensPerList, confidence) => {
    const estimator = createEstimator(id, unitsOnly);
    expect(estimator.count("é".repeat(100))).toBe(tokens);
    expect([estimator.definitions?.tokensPerList, estimator.confidence]).toEqual([
      tokensPerList,
      confidence,
    ]);
  },
);

test("isEstimatorId: own ids only", () => {
  expect(estimatorIds.every(isEstimatorId)).toBe(true);
  expect(["auto", "", "toString", "__proto__", "O200K"].some(isEstimatorId)).toBe(false);
});

for (const id of estimatorIds) {
  const estimator = createEstimator(id, tiktoken);

  describe(`estimator ${id}`, () => {
    test("declares what it is", () => {
      expect(estimator.id).toBe(id);
      expect(["bpe", "bpe-scaled", "characters", "words"]).toContain(estimator.method);
      expect(["high", "medium", "low"]).toContain(estimator.confidence);
      expect(estimator.encoding).not.toBe("");
      expect(estimator.error).not.toBe("");
    });

    test("loads no vocabulary until a text is counted", () => {
      const unused = createEstimator(id, forbidden);
      expect(unused.count("")).toBe(0);
      expect(unused.definitions?.count("") ?? 0).toBe(0);
    });

    test("empty text is 0 tokens, whole and in slices", () => {
      expect(estimator.count("")).toBe(0);
      expect(finished(estimator.begin?.("")) ?? 0).toBe(0);
      expect(estimator.countWithin?.("", 0) ?? 0).toBe(0);
    });

    test("any text is the same whole number, at least 1, every time", () => {
      fc.assert(
        fc.property(anyText, (text) => {
          const tokens = estimator.count(text);
          expect(Number.isSafeInteger(tokens)).toBe(true);
          expect(tokens).toBeGreaterThanOrEqual(text.trim() === "" ? 0 : 1);
          expect(estimator.count(text)).toBe(tokens);
        }),
      );
    });

    test.each(hardTexts)("survives %s", (_name, text) => {
      expect(estimator.count(text)).toBeGreaterThanOrEqual(0);
    });

    test("never more tokens than bytes times tokensPerTextByteMax", () => {
      fc.assert(
        fc.property(anyText, (text) => {
          const bytes = Buffer.byteLength(text);
          expect(estimator.count(text)).toBeLessThanOrEqual(bytes * estimator.tokensPerTextByteMax);
        }),
      );
    });

    test("never more tokens than bytes of a line times tokensPerLineByteMax, however it was written", () => {
      const readers = ["claude-code", "codex-mcp-client", "gemini-cli", undefined].map((name) => ({
        estimator,
        family: defaultFamily,
        profile: findProfile(name),
        windowTokens: 1_000,
        model: null,
      }));
      fc.assert(
        fc.property(growingLine, (line) => {
          const text = new TextDecoder().decode(line);
          const { result }: { result: unknown } = JSON.parse(replaceNonFinite(text) ?? text);
          for (const reader of readers) {
            const { wire } = describeToolResult(result, makeAnswerContext(reader, noRequestFacts));
            const tokens = countParts(wire, reader);
            expect(tokens).toBeLessThanOrEqual(line.length * estimator.tokensPerLineByteMax);
          }
        }),
      );
    });

    test("in slices counts as in one go, with any tokenizer", () => {
      for (const deps of [tiktoken, unitsOnly]) {
        const sliced = createEstimator(id, deps);
        fc.assert(
          fc.property(anyText, (text) => {
            expect(finished(sliced.begin?.(text)) ?? sliced.count(text)).toBe(sliced.count(text));
          }),
        );
      }
    });

    test("in parts counts as in one go, with any tokenizer", () => {
      const line = fc
        .tuple(fc.constantFrom("a", "Z", "0"), anyText)
        .map(([head, text]) => head + text);
      for (const deps of [tiktoken, unitsOnly]) {
        const { count, chunks: parts } = createEstimator(id, deps);
        fc.assert(
          fc.property(anyText, fc.array(line, { maxLength: 3 }), (first, lines) => {
            const texts = [first, ...lines].map(
              (text, at) => `${text}${at < lines.length ? "\n" : ""}`,
            );
            const units = texts.map((text) => parts.countUnits(Buffer.from(text)));
            const joined = texts.map((text) => text.toWellFormed()).join("");
            const sum = units.reduce((total, unitCount) => total + unitCount, 0);
            expect(parts.toTokens(sum, Buffer.byteLength(joined), isJsonText(joined))).toBe(
              count(joined),
            );
          }),
        );
      }
    });

    test("within: the count up to the limit, undefined one below it, with any tokenizer", () => {
      for (const deps of [tiktoken, unitsOnly]) {
        const limited = createEstimator(id, deps);
        fc.assert(
          fc.property(anyText, (text) => {
            const tokens = limited.count(text);
            if (limited.countWithin === undefined) return;
            expect(limited.countWithin(text, tokens)).toBe(tokens);
            expect(limited.countWithin(text, tokens - 1)).toBeUndefined();
            expect(limited.countWithin(text, tokens + 100)).toBe(tokens);
          }),
        );
      }
    });

    test("definitions: absent texts cost nothing, any text is a whole number", () => {
      const formula = pickDefinitionFormula(estimator);
      const { description, schema } = formula.formatTexts({
        name: "a",
        description: "",
        schema: "",
      });
      expect([formula.count(description), formula.count(schema)]).toEqual([0, 0]);
      expect(formula.tokensPerList).toBeGreaterThanOrEqual(0);
      fc.assert(
        fc.property(anyText, (name) => {
          const formed = formula.formatTexts({ name, description: name, schema: "{}" });
          expect(Number.isSafeInteger(formula.count(formed.name))).toBe(true);
          expect(finished(formula.begin?.(formed.description)) ?? 0).toBeGreaterThanOrEqual(0);
        }),
      );
    });

    test("content: any blocks are a whole number, bounded by the line they came on", () => {
      fc.assert(
        fc.property(fc.array(fc.jsonValue()), (blocks) => {
          const tokens = estimator.countContent?.(blocks) ?? 0;
          expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
          const line = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { content: blocks } });
          const most = Buffer.byteLength(line) * estimator.tokensPerLineByteMax;
          expect(tokens).toBeLessThanOrEqual(most);
        }),
      );
    });
  });
}

function finished(counting: Counting | undefined): number | undefined {
  if (counting === undefined) return undefined;
  while (!counting.advance(3));
  return counting.tokens;
}
