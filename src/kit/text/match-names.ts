import { nameCharactersMax } from "../limits.ts";

export function findNearestName(wanted: string, names: readonly string[]): string | undefined {
  const target = wanted.slice(0, nameCharactersMax);
  let nearest: string | undefined;
  let shortest = Math.floor(target.length / 3) + 1;
  for (const name of names) {
    if (Math.abs(name.length - target.length) >= shortest) continue;
    const distance = measureDistance(target, name.slice(0, nameCharactersMax));
    if (distance < shortest) [nearest, shortest] = [name, distance];
  }
  return nearest;
}

// The number of edits: a letter added, removed or replaced, or two neighbours swapped.
function measureDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const changed = readCell(above, j - 1) + Number(!isSame);
      const swapped = isSwapped ? readCell(before, j - 2) + 1 : Infinity;
      row[j] = Math.min(changed, swapped, readCell(above, j) + 1, readCell(row, j - 1) + 1);
    }
    before = above;
  }
  return row[b.length] ?? 0;
}

function readCell(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}

// After a mismatch, goes back only to the last `*`. So no pattern and no hostile name makes matching slow.
export function matchesWildcard(pattern: string, name: string): boolean {
  let [nameIndex, patternIndex] = [0, 0];
  let [starIndex, retryIndex] = [-1, 0];
  while (nameIndex < name.length) {
    const wanted = pattern[patternIndex];
    if (wanted === "*") {
      [starIndex, retryIndex] = [patternIndex, nameIndex];
      patternIndex += 1;
    } else if (wanted === name[nameIndex] || wanted === "?") {
      nameIndex += 1;
      patternIndex += 1;
    } else if (starIndex >= 0) {
      retryIndex += 1;
      [nameIndex, patternIndex] = [retryIndex, starIndex + 1];
    } else {
      return false;
    }
  }
  while (pattern[patternIndex] === "*") patternIndex += 1;
  return patternIndex === pattern.length;
}

export function passesPatterns(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesWildcard(pattern, name));
}

export function isWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}
