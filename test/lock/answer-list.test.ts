import { expect, test } from "bun:test";
import { findAnswerList, hasOpenList } from "#lock/answer-worst-case.ts";

const list = (items: object, extra: object = {}) => ({ type: "array", items, ...extra });
const flag = { type: "boolean" };
const text = { type: "string" };
const answer = (properties: object) => ({ type: "object", properties });

test.each([
  ["no list", answer({ id: text }), undefined],
  [
    "an open list",
    answer({ ids: list(flag) }),
    { itemTokens: 2, isItemSizeLimited: true, itemsMax: undefined },
  ],
  [
    "a closed list",
    answer({ ids: list(flag, { maxItems: 3 }) }),
    { itemTokens: 2, isItemSizeLimited: true, itemsMax: 3 },
  ],
  [
    "an open list before a more expensive closed one",
    answer({ a: list(text, { maxItems: 900 }), b: list(flag) }),
    { itemTokens: 2, isItemSizeLimited: true, itemsMax: undefined },
  ],
  [
    "the more expensive of two closed ones",
    answer({ a: list(flag, { maxItems: 3 }), b: list(text, { maxItems: 3 }) }),
    { itemTokens: 12, isItemSizeLimited: false, itemsMax: 3 },
  ],
  [
    "a list in a branch",
    { anyOf: [list(flag), text] },
    { itemTokens: 2, isItemSizeLimited: true, itemsMax: undefined },
  ],
])("findAnswerList: %s", (_, output, found) => {
  expect(findAnswerList(output)).toEqual(found);
});

test("findAnswerList takes the outermost list only", () => {
  const nested = answer({ rows: list(answer({ cells: list(text) }), { maxItems: 2 }) });
  expect(findAnswerList(nested)?.itemsMax).toBe(2);
});

test("hasOpenList finds lists at every level", () => {
  expect(hasOpenList(answer({ ids: list(flag) }))).toBe(true);
  expect(hasOpenList(answer({ ids: list(flag, { maxItems: 3 }) }))).toBe(false);
  expect(hasOpenList(list(flag, { maxItems: 2 ** 53 }))).toBe(true);
  expect(hasOpenList(list(answer({ ids: list(flag) }), { maxItems: 3 }))).toBe(true);
  expect(hasOpenList(undefined)).toBe(false);
});
