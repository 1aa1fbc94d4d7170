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
