import { makeDisposableFile } from "#kit/os/file-errors.ts";
import { attempt } from "#kit/errors.ts";
import { openSync, readFileSync, readSync } from "node:fs";
import { magic } from "#tokens/tokenizer/vocabulary-layout.ts";
import type { Encoding } from "#tokens/tokenizer/tokenizer.ts";

export type VocabularyRange = { readonly offset: number; readonly length: number };

// The width of numbers is fixed, so that the build can write numbers over zeros in the finished executable.
const numberDigits = 10;

const title = "mcp-meter vocabularies";

export function formatRanges(
  encodings: readonly Encoding[],
  locate: (encoding: Encoding) => VocabularyRange = () => ({ offset: 0, length: 0 }),
): string {
  const rows = encodings.map((encoding) => {
    const { offset, length } = locate(encoding);
    return ` ${encoding}=${padNumber(offset)}+${padNumber(length)}`;
  });
  return `${title}${rows.join("")}\n`;
}

// Undefined if the build has not filled in the numbers.
export function findRange(text: string, encoding: Encoding): VocabularyRange | undefined {
  const row = text.split(/\s/).find((candidate) => candidate.startsWith(`${encoding}=`));
  const numbers = (row ?? "").slice(encoding.length + 1).split("+");
  const [offset = 0, length = 0] = numbers.map(Number);
  return offset > 0 && length > 0 ? { offset, length } : undefined;
}

function padNumber(number: number): string {
  return String(number).padStart(numberDigits, "0");
}

const executable = "/proc/self/exe";

// Reads from disk: a copy from the executable's mapping would leave the bytes in memory twice.
export function readRange(
  { offset, length }: VocabularyRange,
  file: string = executable,
): ArrayBuffer | undefined {
  return attempt(() => {
    const bytes = new Uint8Array(length);
    using opened = makeDisposableFile(openSync(file, "r"));
    if (readSync(opened.fd, bytes, 0, length, offset) !== length) return undefined;
    return new DataView(bytes.buffer).getUint32(0, true) === magic ? bytes.buffer : undefined;
  });
}

export function readEmbedded(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return copyIfShared(buffer, byteOffset, byteLength);
}

// `readFileSync` may return a slice of a shared buffer.
function copyIfShared(buffer: ArrayBufferLike, start: number, length: number): ArrayBuffer {
  if (buffer instanceof ArrayBuffer && start === 0 && buffer.byteLength === length) return buffer;
  return new Uint8Array(new Uint8Array(buffer, start, length)).buffer;
}
