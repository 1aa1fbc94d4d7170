import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { findRange, formatRanges } from "#state/storage/vocabulary-bytes.ts";
import { encodings, vocabularyFile } from "../../scripts/vocabulary.ts";
import { fillVocabularyRanges } from "../../scripts/vocabulary-ranges.ts";
import { Folder } from "../support/folder.ts";

const text = Buffer.from(formatRanges(encodings));
const vocabularies = encodings.map((encoding) => readFileSync(vocabularyFile(encoding)));

describe("fillVocabularyRanges", () => {
  test("writes the place of each vocabulary over the zeros, and changes nothing else", () => {
    using folder = new Folder();
    const built = Buffer.concat([Buffer.from("a"), text, Buffer.from("b"), ...vocabularies]);
    const file = folder.file("program", built);
    fillVocabularyRanges(file);
    const filled = readFileSync(file);
    const written = filled.toString("latin1", 1, 1 + text.length);
    for (const [at, encoding] of encodings.entries()) {
      const { offset = 0, length = 0 } = findRange(written, encoding) ?? {};
      expect(filled.subarray(offset, offset + length).equals(vocabularies[at] ?? text)).toBe(true);
    }
    text.copy(filled, 1);
    expect(filled.equals(built)).toBe(true);
  });

  test("fails for a program without them, or with one of them twice", () => {
    using folder = new Folder();
    for (const parts of [[], [text], vocabularies, [text, ...vocabularies, text]]) {
      const file = folder.file("program", Buffer.concat(parts));
      expect(() => fillVocabularyRanges(file)).toThrow("exactly once");
      expect(readFileSync(file).equals(Buffer.concat(parts))).toBe(true);
    }
  });
});
