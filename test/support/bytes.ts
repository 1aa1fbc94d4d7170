import * as fc from "fast-check";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function textOf(bytes: Uint8Array | undefined): string {
  return decoder.decode(bytes ?? new Uint8Array());
}

export function chunksOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => Math.min(cut, bytes.length)))].toSorted(
    (one, other) => one - other,
  );
  return [0, ...places].map((from, at) => bytes.slice(from, places[at] ?? bytes.length));
}

export const anyCuts: fc.Arbitrary<number[]> = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
