import type { Vocabulary } from "./vocabulary.ts";

// Flags of a code point, by its general category. Letters without case, and marks, are both upper and lower.
export const upperFlag = 1; // `Lu Lt Lm Lo M`
export const lowerFlag = 2; // `Ll Lm Lo M`
export const letterFlag = 4;
export const numberFlag = 8;
export const spaceFlag = 16;
export const newlineFlag = 32;
export const tailFlag = 64; // may end a run of symbols: `\r` and `\n`, in o200k_base also `/`

export const notSymbolFlags = spaceFlag | letterFlag | numberFlag;

export function readFlags(bytes: Uint8Array, at: number, { blocks, classes }: Vocabulary): number {
  const first = bytes[at] as number;
  if (first < 0x80) return classes[first] as number;
  const second = (bytes[at + 1] as number) & 63;
  let point: number;
  if (first < 0xe0) {
    point = ((first & 31) << 6) | second;
  } else {
    const third = (bytes[at + 2] as number) & 63;
    if (first < 0xf0) point = ((first & 15) << 12) | (second << 6) | third;
    else {
      const fourth = (bytes[at + 3] as number) & 63;
      point = ((first & 7) << 18) | (second << 12) | (third << 6) | fourth;
    }
  }
  return classes[((blocks[point >> 7] as number) << 7) | (point & 127)] as number;
}
