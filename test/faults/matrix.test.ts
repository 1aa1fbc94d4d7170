import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { matrix } from "./matrix.ts";

/** The numbers of the rows that a file's test names carry: `"row 13: …"`, `` `row 32: ${signal}` ``. */
function rowsIn(file: string): number[] {
  const source = readFileSync(join(import.meta.dir, file), "utf8");
  return [...source.matchAll(/["'`]row (\d+):/g)].map(([, digits]) => Number(digits));
}

const suffix = ".test.ts";
const covered = new Map<number, Set<string>>();
for (const file of readdirSync(import.meta.dir).filter((name) => name.endsWith(suffix))) {
  if (file === `matrix${suffix}`) continue;
  for (const number of rowsIn(file)) {
    const files = covered.get(number) ?? new Set();
    covered.set(number, files.add(file.slice(0, -suffix.length)));
  }
}

test("the matrix has the rows 1 to 54 and later ones, each once, in order", () => {
  const numbers = matrix.map(({ number }) => number);
  expect(numbers.slice(0, 54)).toEqual(Array.from({ length: 54 }, (_, index) => index + 1));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
});

for (const { number, title, testedIn, reason } of matrix) {
  test(`row ${number} is covered: ${title}`, () => {
    const files = [...(covered.get(number) ?? [])].toSorted();
    const expected = testedIn.filter((name) => existsSync(join(import.meta.dir, name + suffix)));
    expect(files).toEqual(expected.toSorted());
    if (files.length === 0) expect(reason ?? "").not.toBe("");
  });
}

test("no test carries the number of a row that is not in the matrix", () => {
  const known = new Set(matrix.map(({ number }) => number));
  expect([...covered.keys()].filter((number) => !known.has(number))).toEqual([]);
});
