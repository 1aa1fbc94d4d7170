export type Utf8 = {
  bytes: Uint8Array;
  view: DataView;
  end: number;
  isFinal: boolean;
};

/** Readable past the end of any text, because tokens are loaded in whole words. */
export const paddingBytes = 16;

export const longestCodePointBytes = 4;

export function codePointBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

export function unitsIn(bytes: Uint8Array, end: number): number {
  let units = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] as number;
    if (!isContinuation(byte)) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

export function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}
