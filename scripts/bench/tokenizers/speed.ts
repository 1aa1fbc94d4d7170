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

/** MB/s over each part of a text never counted before, and over the same parts again (best of some passes). */
export type Speed = { readonly coldParts: readonly number[]; readonly warm: number };

/** Of a text that was not counted. */
export const noSpeed: Speed = { coldParts: [], warm: Number.NaN };

/** MB/s over text never counted before: the median of its parts. */
export function coldSpeed(speed: Speed | undefined): number {
  return median(speed?.coldParts ?? []);
}

/**
 * How many times as fast as another tokenizer, over text never counted before: the median of the ratios of the parts,
 * each of which both counted directly one after the other.
 */
export function coldRatio(speed: Speed | undefined, other: Speed | undefined): number {
  const others = other?.coldParts ?? [];
  return median(
    (speed?.coldParts ?? []).map((part, index) => part / (others[index] ?? Number.NaN)),
  );
}

/** Speeds of some tokenizers by their names, which take turns part by part: other programs slow all of them down. */
export function measureSpeeds(
  counts: ReadonlyMap<string, Count>,
  text: string,
): Map<string, Speed> {
  const payloads = toPayloads(text);
  const half = payloads.length >> 1;
  const known = payloads.slice(0, half);
  const rest = payloads.slice(half);
  const parts = Array.from({ length: partCount }, (_, part) =>
    rest.filter((_payload, index) => index % partCount === part),
  );
  for (const count of counts.values()) warmUp(() => msToCount(count, known));
  const coldParts = new Map([...counts.keys()].map((name): [string, number[]] => [name, []]));
  for (const [index, part] of parts.entries()) {
    for (const [name, count] of counts) {
      // The others have filled the processor's caches.
      msToCount(count, [known[index % known.length] ?? ""]);
      coldParts.get(name)?.push(bytesIn(part) / msToCount(count, part) / 1000);
    }
  }
  const speeds = [...counts].map(([name, count]): [string, Speed] => {
    const warmMs = bestOf(warmPasses, () => msToCount(count, rest));
    return [name, { coldParts: coldParts.get(name) ?? [], warm: bytesIn(rest) / warmMs / 1000 }];
  });
  return new Map(speeds);
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
