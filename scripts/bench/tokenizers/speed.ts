import type { Count } from "./peers.ts";

/** Size in which a text is handed to a tokenizer, in code units. */
const PAYLOAD_CHARACTERS = 16_384;

/** Passes over the first half, for the compiler, before the second half is seen for the first time. */
const WARM_UPS = 12;
const WARM_PASSES = 5;

/** Passes end early after this, for tokenizers that need seconds for one. */
const PASSES_MS_MAX = 1500;

/** MB/s over text never counted before, and over the same text again (best of some passes). */
export type Speed = { readonly cold: number; readonly warm: number };

export function measureSpeed(count: Count, text: string): Speed {
  const payloads = toPayloads(text);
  const half = payloads.length >> 1;
  bestOf(WARM_UPS, () => msToCount(count, payloads.slice(0, half)));
  const rest = payloads.slice(half);
  const bytes = rest.reduce((sum, payload) => sum + Buffer.byteLength(payload), 0);
  const coldMs = msToCount(count, rest);
  const warmMs = bestOf(WARM_PASSES, () => msToCount(count, rest));
  return { cold: bytes / coldMs / 1000, warm: bytes / warmMs / 1000 };
}

/** The shortest of some passes, at least one. */
function bestOf(passes: number, pass: () => number): number {
  const times: number[] = [];
  const sum = () => times.reduce((one, other) => one + other, 0);
  while (times.length < passes && sum() < PASSES_MS_MAX) times.push(pass());
  return Math.min(...times);
}

/** Copies, so that no tokenizer pays for the flattening of a slice. */
function toPayloads(text: string): string[] {
  const payloads: string[] = [];
  for (let at = 0; at < text.length; at += PAYLOAD_CHARACTERS) {
    payloads.push(Buffer.from(text.slice(at, at + PAYLOAD_CHARACTERS)).toString());
  }
  return payloads;
}

export function msToCount(count: Count, texts: readonly string[]): number {
  const began = performance.now();
  for (const text of texts) count(text);
  return performance.now() - began;
}
