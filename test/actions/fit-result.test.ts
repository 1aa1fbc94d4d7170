import { describe, expect, test } from "bun:test";
import { fitResult } from "#actions/fit-result.ts";
import { excessOf, textsOf } from "../support/excess.ts";
import { plainReader } from "../support/plain-reader.ts";

const marker = (kept: string, all: string): string => `[${kept}/${all}]`;
const text = (of: string) => ({ type: "text", text: of });

describe("fitResult", () => {
  test("keeps as much as fits, and not one character less", () => {
    const fitted = fitResult(excessOf({ content: [text("x".repeat(300))] }, 50), marker);
    const [head = "", note = ""] = textsOf(fitted);
    expect(note).toBe(`[${head.length}/300]`);
    expect(Math.ceil(head.length / 3) + Math.ceil(note.length / 3)).toBe(50);
  });

  test("never cuts a code point in two", () => {
    for (let room = 4; room < 30; room += 1) {
      const fitted = fitResult(excessOf({ content: [text("\u{1f600}".repeat(60))] }, room), marker);
      for (const shown of textsOf(fitted)) expect(shown.isWellFormed()).toBe(true);
    }
  });

  test("states the number of characters that it kept, also where a code point had to go", () => {
    for (let room = 6; room < 30; room += 1) {
      const fitted = fitResult(excessOf({ content: [text("\u{1f600}".repeat(60))] }, room), marker);
      const texts = textsOf(fitted);
      const kept = texts.slice(0, -1).join("").length;
      expect(texts.at(-1)).toBe(`[${kept}/120]`);
    }
  });

  test("drops structuredContent, which would no longer agree, and says so", () => {
    const result = {
      content: [text("x".repeat(300))],
      structuredContent: { a: 1 },
      resultType: "complete",
    };
    const fitted = fitResult(excessOf(result, 50), marker);
    expect(fitted).toMatchObject({ isError: true, resultType: "complete" });
    expect(Object.keys(Object(fitted))).not.toContain("structuredContent");
    expect(textsOf(fitted).at(-1)).toEndWith("(structuredContent omitted)");
  });

  test("cuts the half that the client shows, and says how much that is", () => {
    const rows = "y".repeat(600);
    const result = { content: [text("Done.")], structuredContent: { rows } };
    const reader = plainReader("claude-code");
    const fitted = fitResult(excessOf(result, 100, { reader }), marker);
    const [head = "", note] = textsOf(fitted);
    expect(`{"rows":"${rows}"}`).toStartWith(head);
    expect(head.length).toBeGreaterThan(200);
    expect(note).toBe(`[${head.length}/${rows.length + 11}]`);
    expect(fitted).toMatchObject({ isError: true });
    // A client that shows content first has read the text.
    const others = fitResult(excessOf({ ...result, content: [text(rows)] }, 100), marker);
    expect(textsOf(others)[0]).toStartWith("yyy");
  });

  test("keeps no more than the client shows of an error, so that the note is true", () => {
    // Claude Code removes the middle of an error beyond 10,000 characters.
    const result = { structuredContent: { rows: "y".repeat(40_000) } };
    const reader = plainReader("claude-code");
    const [head = "", note = ""] = textsOf(fitResult(excessOf(result, 9_000, { reader }), marker));
    expect(head.length).toBeWithin(9_900, 10_000);
    expect(note).toBe(`[${head.length}/40011]`);
  });

  test("shows a result that is all structuredContent as its JSON", () => {
    const fitted = fitResult(
      excessOf({ structuredContent: { rows: "y".repeat(300) } }, 50),
      marker,
    );
    expect(textsOf(fitted)[0]).toStartWith('{"rows":"yyy');
  });

  test("keeps the first blocks and what else they say", () => {
    const content = [{ ...text("first"), annotations: { priority: 1 } }, text("x".repeat(300))];
    expect(fitResult(excessOf({ content }, 30), marker)).toMatchObject({
      content: [
        { text: "first", annotations: { priority: 1 } },
        { type: "text" },
        { type: "text" },
      ],
    });
  });

  test("gives up where not even the marker fits", () => {
    expect(fitResult(excessOf({ content: [text("x".repeat(300))] }, 1), marker)).toBeUndefined();
    expect(fitResult(excessOf(null, 100), marker)).toBeUndefined();
  });
});
