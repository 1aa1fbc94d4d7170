import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { type VocabularyRange, formatRanges } from "#state/storage/vocabulary-bytes.ts";
import { encodings, vocabularyFile } from "./vocabulary.ts";

// Replaces zeros in a built executable by the ranges of its vocabularies. Throws unless the zeros and each
// vocabulary occur exactly once.
export function fillVocabularyRanges(executable: string): void {
  const bytes = readFileSync(executable);
  const zeros = findOnce(bytes, Buffer.from(formatRanges(encodings), "latin1"));
  const filled = formatRanges(encodings, (encoding) =>
    findOnce(bytes, readFileSync(vocabularyFile(encoding))),
  );
  const fd = openSync(executable, "r+");
  try {
    writeSync(fd, filled, zeros.offset, "latin1");
  } finally {
    closeSync(fd);
  }
}

function findOnce(bytes: Buffer, content: Buffer): VocabularyRange {
  const offset = bytes.indexOf(content);
  if (offset < 0 || bytes.indexOf(content, offset + 1) >= 0) {
    throw new Error(`Cannot find ${content.length} embedded bytes exactly once in the executable`);
  }
  return { offset, length: content.length };
}
