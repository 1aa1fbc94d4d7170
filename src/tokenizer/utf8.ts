/** Bytes that may be read past any text's end, because tokens are loaded in whole words. */
export const PADDING_BYTES = 16;

/** Bytes of a text, or of its part that is in memory, with a view for loading words. */
export type Utf8 = {
  bytes: Uint8Array;
  view: DataView;
  /** Where the text in memory ends; always between two code points. */
  end: number;
  /** Whether the text itself ends there. */
  isFinal: boolean;
};
