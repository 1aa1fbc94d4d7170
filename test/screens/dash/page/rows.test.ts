import { describe, expect, test } from "bun:test";
import {
  arrangeRows,
  putMainColumnsAfterName,
  toggleOrder,
  type Arrangement,
} from "#screens/dash/page/rows.ts";

type Fruit = { readonly name: string; readonly count: number | null };

const fruits: Readonly<Record<string, Fruit>> = {
  c: { name: "Cherry", count: 2 },
  a: { name: "apple", count: 2 },
  d: { name: "date", count: null },
  b: { name: "banana", count: 30 },
};

const byCount: Arrangement<Fruit> = {
  value: (row) => row.count,
  isDescending: true,
  filter: "",
  filterText: (row) => row.name,
  page: 0,
  rowsPerPage: 10,
};

const listKeys = (options: Partial<Arrangement<Fruit>>) =>
  arrangeRows(fruits, { ...byCount, ...options }).shown.map(({ key }) => key);

describe("arrangeRows", () => {
  test("sorts numbers as numbers, equal ones by key, unknown ones last in either direction", () => {
    expect(listKeys({})).toEqual(["b", "a", "c", "d"]);
    expect(listKeys({ isDescending: false })).toEqual(["a", "c", "b", "d"]);
  });

  test("sorts texts", () => {
    expect(listKeys({ value: (row) => row.name.toLowerCase(), isDescending: false })).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
  });

  test("filters by all words in any case", () => {
    expect(listKeys({ filter: "AN na" })).toEqual(["b"]);
    expect(listKeys({ filter: "an x" })).toEqual([]);
    expect(listKeys({ filter: "  " })).toHaveLength(4);
  });

  test("cuts pages; a page that is gone is the last one", () => {
    const second = arrangeRows(fruits, { ...byCount, page: 1, rowsPerPage: 3 });
    expect(second).toMatchObject({ count: 4, pages: 2, page: 1 });
    expect(second.shown.map(({ key }) => key)).toEqual(["d"]);
    const gone = arrangeRows(fruits, { ...byCount, filter: "apple", page: 9, rowsPerPage: 3 });
    expect(gone).toMatchObject({ count: 1, pages: 1, page: 0 });
  });

  test("thousands of rows give one page", () => {
    const rows = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`k${at}`, { name: "x", count: at }]),
    );
    const { shown, pages } = arrangeRows(rows, { ...byCount, rowsPerPage: 100 });
    expect([shown.length, pages, shown[0]?.key]).toEqual([100, 200, "k19999"]);
  });
});

test("a click turns the order of the same column, and takes the natural one of another", () => {
  const order = { column: "count", isDescending: true };
  expect(toggleOrder(order, "count", true)).toEqual({ column: "count", isDescending: false });
  expect(toggleOrder(order, "name", false)).toEqual({ column: "name", isDescending: false });
  expect(toggleOrder({ column: "name", isDescending: false }, "count", true)).toEqual(order);
});

test("a narrow window has the name first, then the main columns in their order", () => {
  const columns = [
    { id: "tool" },
    { id: "server" },
    { id: "calls", isMain: true },
    { id: "args" },
    { id: "tokens", isMain: true },
  ];
  expect(
    putMainColumnsAfterName(columns)
      .map(({ id }) => id)
      .join(" "),
  ).toBe("tool calls tokens server args");
  expect(putMainColumnsAfterName([])).toEqual([]);
});
