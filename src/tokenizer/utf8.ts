/** UTF-8 bytes of a text, or of the part of it that is in memory, with a view that loads whole words. */
export type Utf8 = {
  bytes: Uint8Array;
  view: DataView;
  /** Offset at which the bytes in memory end; always between two code points. */
  end: number;
  /** True when the text ends there too. */
  isFinal: boolean;
};

/** Bytes that may be read past the end of any text, because tokens are loaded in whole words. */
export const paddingBytes = 16;

/** Bytes of the longest code point. */
export const longestCodePointBytes = 4;

/** Bytes of the code point that begins with byte `first`. */
export function codePointBytes(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}

/** True for a byte that does not begin a code point. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}
