import { median } from "../statistics.ts";
import type { Count } from "./peers.ts";
import { msToCount } from "./speed.ts";
import { benchTexts, randomNumbers } from "./texts.ts";

export const bombSizes = [1000, 4000, 16_000, 64_000, 256_000, 1_000_000];

/** A bomb that took longer than this is not tried in larger sizes. */
const bombMsMax = 60;

/** Counts of a bomb, of which the median is taken. */
const runCount = 5;

/** Texts that are one piece to a tokenizer, of about `bytes` bytes of UTF-8. */
const makeBombs: Readonly<Record<string, (bytes: number) => string>> = {
  "one letter": (bytes) => "a".repeat(bytes),
  "one symbol": (bytes) => "=".repeat(bytes),
  spaces: (bytes) => " ".repeat(bytes),
  newlines: (bytes) => "\n".repeat(bytes),
  "one Hangul syllable": (bytes) => "가".repeat(bytes / 3),
  "one emoji": (bytes) => "😀".repeat(bytes / 4),
  "random letters": (bytes) => scatter(bytes, 0x61, 26),
  "random Hangul": (bytes) => scatter(bytes / 3, 0xac00, 11_172),
  "random emoji": (bytes) => scatter(bytes / 4, 0x1f600, 80),
  "random Chinese": (bytes) => scatter(bytes / 3, 0x4e00, 20_000),
  "prose without spaces": (bytes) => joinedProse().repeat(4).slice(0, bytes),
  "ragged rules": (bytes) => ragged(bytes, "=", "-"),
  "ragged blank lines": (bytes) => ragged(bytes, " ", "\n"),
  "ragged letters": (bytes) => ragged(bytes, "a", "b"),
};

export const bombNames = Object.keys(makeBombs);

/** A bomb of about `bytes` bytes. */
export function makeBomb(name: string, bytes: number): string {
  return makeBombs[name]?.(bytes) ?? "";
}

/** Small letters of the prose, some 300,000. */
function joinedProse(): string {
  return (benchTexts().get("prose") ?? "").replaceAll(/[^a-z]/g, "");
}

/** Runs of one character, of random lengths up to 63, each ended by another. */
function ragged(bytes: number, character: string, last: string): string {
  const random = randomNumbers(13);
  const runs: string[] = [];
  for (let length = 0; length < bytes; length += runs.at(-1)?.length ?? 0) {
    runs.push(character.repeat(random() % 64) + last);
  }
  return runs.join("").slice(0, bytes);
}

function scatter(length: number, first: number, range: number): string {
  const random = randomNumbers(9);
  return Array.from({ length: Math.floor(length) }, () =>
    String.fromCodePoint(first + (random() % range)),
  ).join("");
}

/** Nanoseconds per byte by size, the median of some counts; no size after the first that took too long. */
export function measureBomb(count: Count, name: string): Map<number, number> {
  const figures = new Map<number, number>();
  for (const bytes of bombSizes) {
    const bomb = [makeBomb(name, bytes)];
    const times = [msToCount(count, bomb)];
    while (times.length < runCount && Math.max(...times) < bombMsMax * 4) {
      times.push(msToCount(count, bomb));
    }
    const ms = median(times);
    figures.set(bytes, (ms * 1e6) / bytes);
    if (ms > bombMsMax * 4) break;
  }
  return figures;
}
