import { expect, test } from "bun:test";
import { itemChanges } from "#lock/drift/item-changes.ts";

const place = { side: "input", path: "q" } as const;

test("itemChanges compares an item without a schema of its own with items", () => {
  const { changes, pairs } = itemChanges(
    { prefixItems: [{ maximum: 1 }, {}], items: false },
    { prefixItems: [{ maximum: 2 }], items: true },
    place,
  );
  expect(changes).toEqual([]);
  expect(pairs.map(({ values, place: { path } }) => ({ ...values, path }))).toEqual([
    { before: { maximum: 1 }, after: { maximum: 2 }, path: "q (prefixItems 1)" },
    { before: {}, after: true, path: "q (prefixItems 2)" },
  ]);
});

test("itemChanges of a prefixItems that is no list: a change as a whole", () => {
  const { changes, pairs } = itemChanges({ prefixItems: 7 }, {}, place);
  expect(pairs).toEqual([]);
  expect(changes.map(({ what }) => what)).toEqual(["parameter q: prefixItems changed"]);
});
