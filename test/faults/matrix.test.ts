import { Glob } from "bun";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { matrix } from "./matrix.ts";

const suffix = ".test.ts";
const tests = join(import.meta.dir, "..");

const nameOf = (path: string): string => path.replace(/^faults\//, "").slice(0, -suffix.length);

function rowsIn(path: string): number[] {
  const source = readFileSync(join(tests, path), "utf8");
  return [...source.matchAll(/["'`]row (\d+):/g)].map(([, digits]) => Number(digits));
}

const covered = new Map<number, Set<string>>();
for (const path of new Glob(`**/*${suffix}`).scanSync(tests)) {
  if (path === `faults/matrix${suffix}`) continue;
  for (const number of rowsIn(path)) {
    const files = covered.get(number) ?? new Set();
    covered.set(number, files.add(nameOf(path)));
  }
}

test("the matrix has the rows 1 to 54 and later ones, each once, in order", () => {
  const numbers = matrix.map(({ number }) => number);
  expect(numbers.slice(0, 54)).toEqual(Array.from({ length: 54 }, (_, index) => index + 1));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
});

for (const { number, title, testedIn } of matrix) {
  test(`row ${number} is covered: ${title}`, () => {
    const files = [...(covered.get(number) ?? [])].toSorted();
    expect(files).toEqual(testedIn.toSorted());
    expect(files).not.toEqual([]);
  });
}

test("no test carries the number of a row that is not in the matrix", () => {
  const known = new Set(matrix.map(({ number }) => number));
  expect([...covered.keys()].filter((number) => !known.has(number))).toEqual([]);
});
