import { paddingBytes, type Utf8 } from "#tokens/tokenizer/feed.ts";

export function utf8(text: string, isFinal = true): Utf8 {
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(encoded.length + paddingBytes);
  bytes.set(encoded);
  return { bytes, view: new DataView(bytes.buffer), end: encoded.length, isFinal };
}
