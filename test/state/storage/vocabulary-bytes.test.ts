import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readEmbedded, readRange } from "#state/storage/vocabulary-bytes.ts";
import { vocabularyFile } from "../../../scripts/vocabulary.ts";
import { Folder } from "../../support/folder.ts";

test("readEmbedded reads a whole file into a buffer of its own", () => {
  const file = vocabularyFile("cl100k_base");
  expect(readFileSync(file).equals(new Uint8Array(readEmbedded(file)))).toBe(true);
});

describe("readRange", () => {
  const packed = readFileSync(vocabularyFile("cl100k_base"));
  const range = { offset: 3, length: packed.length };

  test("reads the vocabulary at its place", () => {
    using folder = new Folder();
    const file = folder.file("program", Buffer.concat([Buffer.from("abc"), packed, packed]));
    expect(packed.equals(new Uint8Array(readRange(range, file) ?? new ArrayBuffer()))).toBe(true);
  });

  test("reads nothing where no vocabulary is, or not all of it", () => {
    using folder = new Folder();
    const file = folder.file("program", Buffer.concat([Buffer.from("abc"), packed]));
    expect(readRange({ ...range, offset: 2 }, file)).toBeUndefined();
    expect(readRange({ ...range, length: packed.length + 1 }, file)).toBeUndefined();
    expect(readRange({ ...range, length: 3 }, file)).toBeUndefined();
    expect(readRange(range, folder.at("missing"))).toBeUndefined();
  });
});
