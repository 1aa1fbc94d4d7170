import { expect, test } from "bun:test";
import { type DatedList, mergeLists, noLists, withList } from "#reports/advice/server-usage.ts";
import type { DefinitionsRecord } from "#records/record.ts";
import { twoTools } from "../../support/made-advice.ts";

function dated(day: number, told: Partial<DefinitionsRecord> = {}): DatedList {
  const ms = Date.UTC(2026, 8, day);
  return { ts: new Date(ms).toISOString(), ms, list: twoTools(told) };
}

const [first, second, part, none] = [
  dated(1),
  dated(2),
  dated(3, { is_complete: false }),
  dated(4, { tools: [], tools_total: 0, total_tokens: 0 }),
];

test("the newest list with tools, and the oldest and newest whole one, in any order", () => {
  const expected = { newest: part, oldestWhole: first, newestWhole: second };
  const all = [second, part, first, none];
  expect(all.reduce(withList, noLists)).toEqual(expected);
  expect(all.toReversed().reduce(withList, noLists)).toEqual(expected);
  expect(withList(noLists, none)).toEqual(noLists);
});

test("lists of several sessions together are those of all", () => {
  const [one, other] = [
    [first, none].reduce(withList, noLists),
    [second, part].reduce(withList, noLists),
  ];
  const expected = { newest: part, oldestWhole: first, newestWhole: second };
  expect(mergeLists(one, other)).toEqual(expected);
  expect(mergeLists(other, one)).toEqual(expected);
  expect(mergeLists(one, noLists)).toEqual(one);
});

test("of two lists of one moment the smaller one is the earlier", () => {
  const larger = dated(1, { total_tokens: 9_000 });
  const expected = { newest: larger, oldestWhole: first, newestWhole: larger };
  expect([larger, first].reduce(withList, noLists)).toEqual(expected);
  expect([first, larger].reduce(withList, noLists)).toEqual(expected);
});
