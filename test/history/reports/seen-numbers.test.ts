import { expect, test } from "bun:test";
import { seenPagesMax, SeenNumbers, SeenRoom } from "#history/reports/record-filter.ts";

test("a number is new once, in any order", () => {
  const seen = new SeenNumbers(new SeenRoom());
  const numbers = [
    5,
    3,
    4,
    0,
    511,
    512,
    5,
    3,
    513,
    0,
    Number.MAX_SAFE_INTEGER,
    Number.MAX_SAFE_INTEGER,
  ];
  expect(numbers.map((number) => seen.add(number))).toEqual([
    ...Array.from({ length: 6 }, () => "new" as const),
    "again",
    "again",
    "new",
    "again",
    "new",
    "again",
  ]);
});

test(`${seenPagesMax} pages are remembered by all sets together; numbers on further pages are unknown`, () => {
  const room = new SeenRoom();
  const [a, b] = [new SeenNumbers(room), new SeenNumbers(room)];
  for (let page = 1; page < seenPagesMax; page += 1) a.add(page * 512);
  expect(b.add(7)).toBe("new");
  expect(b.add(7 + 512)).toBe("unknown");
  expect([b.add(8), a.add(513), a.add(512)]).toEqual(["new", "new", "again"]);
});
