import { median } from "../statistics.ts";
import type { Count } from "./peers.ts";

/** Size in which a text is handed to a tokenizer, in code units. */
const payloadCharacters = 16_384;

/** Passes over the first half, and their time, for the compiler beside them to be done before the second half. */
const warmUps = 12;
const warmUpsMs = 500;
const warmPasses = 5;

/** Passes end early after this, for tokenizers that need seconds for one. */
const passesMsMax = 1500;

/** Parts of the second half that are measured apart. */
const partCount = 5;

/** MB/s over text never counted before (median of some parts), and over the same text again (best of some passes). */
export type Speed = { readonly cold: number; readonly warm: number };

export function measureSpeed(count: Count, text: string): Speed {
  const payloads = toPayloads(text);
  const half = payloads.length >> 1;
  warmUp(() => msToCount(count, payloads.slice(0, half)));
  const rest = payloads.slice(half);
  const speeds = Array.from({ length: partCount }, (_, part) => {
    const some = rest.filter((_payload, index) => index % partCount === part);
    return bytesIn(some) / msToCount(count, some) / 1000;
  });
  const warmMs = bestOf(warmPasses, () => msToCount(count, rest));
  return { cold: median(speeds), warm: bytesIn(rest) / warmMs / 1000 };
}

/** Bytes of UTF-8. */
export function bytesIn(payloads: readonly string[]): number {
  return payloads.reduce((sum, payload) => sum + Buffer.byteLength(payload), 0);
}

function warmUp(pass: () => number): void {
  let ms = 0;
  for (let passes = 0; ms < passesMsMax; passes++) {
    if (passes >= warmUps && ms >= warmUpsMs) return;
    ms += pass();
  }
}

/** The shortest of some passes, at least one. */
function bestOf(passes: number, pass: () => number): number {
  const times: number[] = [];
  const sum = () => times.reduce((one, other) => one + other, 0);
  while (times.length < passes && sum() < passesMsMax) times.push(pass());
  return Math.min(...times);
}

/** Copies, so that no tokenizer pays for the flattening of a slice. */
export function toPayloads(text: string): string[] {
  const payloads: string[] = [];
  for (let at = 0; at < text.length; at += payloadCharacters) {
    payloads.push(Buffer.from(text.slice(at, at + payloadCharacters)).toString());
  }
  return payloads;
}

export function msToCount(count: Count, texts: readonly string[]): number {
  return msOf(() => {
    for (const text of texts) count(text);
  });
}

/**
 * Milliseconds of an action: the lesser of wall and processor time, so that neither other programs on
 * the machine count nor the runtime's compiler beside it.
 */
function msOf(action: () => void): number {
  const cpu = process.cpuUsage();
  const began = performance.now();
  action();
  const wall = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  return Math.min(wall, (user + system) / 1000);
}
