import { paddingBytes, type Utf8 } from "#tokenizer/utf8.ts";

/** A whole text in memory, or the part of a longer one when it is not final. */
export function utf8(text: string, isFinal = true): Utf8 {
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(encoded.length + paddingBytes);
  bytes.set(encoded);
  return { bytes, view: new DataView(bytes.buffer), end: encoded.length, isFinal };
}
