import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { shortenAnswer, servedAnswerTokensMax } from "#commands/mcp/answer-limits.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { hostileText } from "../../support/hostile.ts";
import { servedAnswerBytesMax } from "#transport/mcp-server/serve.ts";

function tokensIn(text: string): number {
  return Math.round(loadTokenizer("o200k_base").count(text) * 1.55);
}

const lines = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `row ${at}: some words about it`);

const firstLines = (rows: number) => ({
  text: lines(rows).join("\n"),
  isShortened: rows < 500,
});

describe("shortenAnswer", () => {
  test("a text that fits stays as it is, with its notes after it", () => {
    expect(
      shortenAnswer(() => ({ text: "one row\n", isShortened: false }), 50, "less", ["A note."]),
    ).toBe("one row\n\nA note.");
  });

  test("a longer one has as many rows as fit, and says how to narrow it", () => {
    const answer = shortenAnswer(firstLines, 500, '"since"', ["A note."]);
    const rows = answer.split("\n").filter((line) => line.startsWith("row ")).length;
    expect(answer).toEndWith(
      `\n\nShortened to ${rows} rows; narrow the answer with "since"\n\nA note.`,
    );
    expect(tokensIn(answer)).toBeLessThanOrEqual(servedAnswerTokensMax);
    const two = "\nrow 100: some words about it".repeat(2);
    expect(tokensIn(`${answer}${two}`)).toBeGreaterThan(servedAnswerTokensMax);
  });

  test("one that is too long with a single row is cut after a line", () => {
    const answer = shortenAnswer(() => firstLines(500), 1, '"tool"');
    expect(answer).toMatch(/^row 0: [^]*it\n\nShortened; narrow the answer with "tool"$/);
    expect(tokensIn(answer)).toBeLessThanOrEqual(servedAnswerTokensMax);
    expect(shortenAnswer(() => ({ text: "x".repeat(9_000), isShortened: false }), 1, "less")).toBe(
      "\n\nShortened; narrow the answer with less",
    );
  });

  test("no text makes an answer that is too long", () => {
    const rows = fc.array(hostileText, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(rows, rows, (texts, notes) => {
        const renderRows = (count: number) => ({
          text: texts.slice(0, count).join("\n"),
          isShortened: count < texts.length,
        });
        const answer = shortenAnswer(renderRows, texts.length, "less", notes.slice(0, 3));
        expect(tokensIn(answer)).toBeLessThanOrEqual(servedAnswerTokensMax);
        expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(servedAnswerBytesMax);
      }),
      { numRuns: 50 },
    );
  });
});
