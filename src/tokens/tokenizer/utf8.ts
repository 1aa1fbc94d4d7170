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
