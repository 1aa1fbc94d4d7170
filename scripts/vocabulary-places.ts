import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { type VocabularyRange, formatRanges } from "#state/storage/vocabulary-bytes.ts";
import { encodings, vocabularyFile } from "./vocabulary.ts";

/**
 * Fills zeros in a built executable; nothing moves. Throws unless every place and vocabulary
 * occurs exactly once.
 */
export function fillPlaces(executable: string): void {
  const bytes = readFileSync(executable);
  const text = onlyPlace(bytes, Buffer.from(formatRanges(encodings), "latin1"));
  const filled = formatRanges(encodings, (encoding) =>
    onlyPlace(bytes, readFileSync(vocabularyFile(encoding))),
  );
  const fd = openSync(executable, "r+");
  try {
    writeSync(fd, filled, text.offset, "latin1");
  } finally {
    closeSync(fd);
  }
}

function onlyPlace(bytes: Buffer, part: Buffer): VocabularyRange {
  const offset = bytes.indexOf(part);
  if (offset < 0 || bytes.indexOf(part, offset + 1) >= 0) {
    throw new Error(`Cannot find ${part.length} embedded bytes exactly once in the executable`);
  }
  return { offset, length: part.length };
}
