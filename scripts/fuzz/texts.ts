import type { Random } from "./random.ts";

const words = ["row", "value", "id", "total", "2026-07-28", "naïve", "東京", "🦊", "\t", "\n", '"'];

/** Texts that are long for their tokens, short for them, or hard to encode. */
const odd = [
  "\u2028\u2029",
  "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}",
  "한글".repeat(30),
  "=".repeat(120),
  "a\u0301".repeat(20),
  "\u0000\u001b[31m",
  "\\u0000",
  '{"rows":[{"id":1,"name":"x"},{"id":2,"name":"y"}]}',
  "__proto__",
];

/** A text of about that many characters. */
export function text(random: Random, length: number): string {
  let made = "";
  while (made.length < length) {
    made += `${random.chance(0.05) ? random.pick(odd) : random.pick(words)} `;
  }
  return made.slice(0, length).toWellFormed();
}

/** Lengths of answers: most are short, few are very long. */
export function someLength(random: Random): number {
  const most = random.weighted([
    [3, 20],
    [5, 300],
    [4, 2_000],
    [1, 15_000],
    [0.03, 400_000],
  ]);
  return random.between(0, most);
}

/** Any JSON value, seldom deep. */
export function someJson(random: Random, levels = 3): unknown {
  if (levels > 0 && random.chance(0.6)) {
    const size = random.between(0, 4);
    if (random.chance(0.5)) return Array.from({ length: size }, () => someJson(random, levels - 1));
    return Object.fromEntries(
      Array.from({ length: size }, (_, at) => [`k${at}`, someJson(random, levels - 1)]),
    );
  }
  return random.pick<unknown>([
    null,
    true,
    0,
    -1.5,
    1e20,
    1e-7,
    123_456_789,
    "",
    text(random, random.between(0, 60)),
  ]);
}
