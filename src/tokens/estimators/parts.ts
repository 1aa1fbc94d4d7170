import type { Parts } from "../cost/estimator.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Invalid bytes become U+FFFD, a byte order mark is kept. */
export function decodePart(utf8: Uint8Array): string {
  return decoder.decode(utf8);
}

export function partsBy(count: (text: string) => number): Parts {
  return { units: (utf8) => count(decodePart(utf8)), tokens: (units) => units };
}
