import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { magic } from "#tokens/tokenizer/layout.ts";
import type { Encoding } from "#tokens/tokenizer/tokenizer.ts";

export type VocabularyPlace = { readonly offset: number; readonly length: number };

/** Fixed, so that the build can fill numbers in without moving anything. */
const digits = 10;

const title = "mcp-meter vocabularies";

export function writePlaces(
  encodings: readonly Encoding[],
  placeOf: (encoding: Encoding) => VocabularyPlace = () => ({ offset: 0, length: 0 }),
): string {
  const rows = encodings.map((encoding) => {
    const { offset, length } = placeOf(encoding);
    return ` ${encoding}=${padded(offset)}+${padded(length)}`;
  });
  return `${title}${rows.join("")}\n`;
}

/** Undefined where the build has not filled it in. */
export function findPlace(text: string, encoding: Encoding): VocabularyPlace | undefined {
  const row = text.split(/\s/).find((word) => word.startsWith(`${encoding}=`));
  const [offset = 0, length = 0] =
    row
      ?.slice(encoding.length + 1)
      .split("+")
      .map(Number) ?? [];
  return offset > 0 && length > 0 ? { offset, length } : undefined;
}

function padded(number: number): string {
  return String(number).padStart(digits, "0");
}

/** Only Linux has it. */
const ownFile = "/proc/self/exe";

/** Undefined when it is not there. The runtime maps the whole executable, so a copy would be in memory twice; a read leaves the mapped pages alone. */
export function readPlace(
  { offset, length }: VocabularyPlace,
  file: string = ownFile,
): ArrayBuffer | undefined {
  try {
    const bytes = new Uint8Array(length);
    const fd = openSync(file, "r");
    try {
      if (readSync(fd, bytes, 0, length, offset) !== length) return undefined;
    } finally {
      closeSync(fd);
    }
    return new DataView(bytes.buffer).getUint32(0, true) === magic ? bytes.buffer : undefined;
  } catch {
    return undefined;
  }
}

export function readEmbedded(file: string): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = readFileSync(file);
  return ownBuffer(buffer, byteOffset, byteLength);
}

/** The runtime may return a part of a shared pool. */
function ownBuffer(buffer: ArrayBufferLike, start: number, length: number): ArrayBuffer {
  if (buffer instanceof ArrayBuffer && start === 0 && buffer.byteLength === length) return buffer;
  return new Uint8Array(new Uint8Array(buffer, start, length)).buffer;
}
