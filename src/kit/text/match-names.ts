import { nameCharactersMax } from "../limits.ts";

export function findNearestName(wanted: string, names: readonly string[]): string | undefined {
  const target = wanted.slice(0, nameCharactersMax);
  let nearest: string | undefined;
  let least = Math.floor(target.length / 3) + 1;
  for (const name of names) {
    if (Math.abs(name.length - target.length) >= least) continue;
    const distance = editDistance(target, name.slice(0, nameCharactersMax));
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

function editDistance(a: string, b: string): number {
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

// Linear in the name per `*`, so no pattern or hostile name makes it slow.
export function matchesWildcard(pattern: string, name: string): boolean {
  let [at, next] = [0, 0];
  let [star, marked] = [-1, 0];
  while (at < name.length) {
    const wanted = pattern[next];
    if (wanted === "*") {
      [star, marked] = [next, at];
      next += 1;
    } else if (wanted === name[at] || wanted === "?") {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      marked += 1;
      [at, next] = [marked, star + 1];
    } else {
      return false;
    }
  }
  while (pattern[next] === "*") next += 1;
  return next === pattern.length;
}

export function matchesAnyPattern(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || patterns.some((pattern) => matchesWildcard(pattern, name));
}

export function isWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}
