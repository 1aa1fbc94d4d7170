import { partsBy } from "./parts.ts";
import type { Estimator } from "#cost/estimator.ts";

const shortWordUnits = 3;
const mediumWordUnits = 7;

/**
 * Sum over white-space separated words of n UTF-16 units: 1 up to 3 units, ⌈n/5⌉ up to 7, else ⌈n/4⌉.
 * White space is what JavaScript's `\s` matches.
 */
export function words(): Estimator {
  return {
    id: "words",
    method: "words",
    encoding: "words",
    confidence: "low",
    error: "a rule of thumb for prose, no error known",
    tokensPerByteMax: 1,
    count: countWords,
    parts: partsBy(countWords),
  };
}

function countWords(text: string): number {
  let tokens = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (!isSpace(text.charCodeAt(index))) continue;
    tokens += wordTokens(index - start);
    start = index + 1;
  }
  return tokens + wordTokens(text.length - start);
}

function wordTokens(length: number): number {
  if (length === 0) return 0;
  if (length <= shortWordUnits) return 1;
  return Math.ceil(length / (length <= mediumWordUnits ? 5 : 4));
}

function isSpace(unit: number): boolean {
  if (unit < 0x80) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
  if (unit < 0x1680) return unit === 0xa0;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000 ||
    unit === 0xfeff
  );
}
