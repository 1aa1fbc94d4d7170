import type { ViewRows } from "../view.ts";

type KeyedRow<R> = { readonly key: string; readonly row: R };

export type SortValue = string | number | null;

export type SortOrder = { readonly column: string; readonly isDescending: boolean };

type ArrangedRows<R> = {
  readonly shown: readonly KeyedRow<R>[];
  readonly count: number;
  readonly pages: number;
  readonly page: number;
};

export type Arrangement<R> = {
  readonly value: (row: R) => SortValue;
  readonly isDescending: boolean;
  readonly filter: string;
  readonly text: (row: R) => string;
  readonly page: number;
  readonly pageRows: number;
};

/** Rows of the same value are in the order of their keys, so that none jumps. */
export function arrangeRows<R>(rows: ViewRows<R>, how: Arrangement<R>): ArrangedRows<R> {
  const words = how.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = Object.entries(rows)
    .map(([key, row]) => ({ key, row, value: how.value(row) }))
    .filter(({ row }) => {
      if (words.length === 0) return true;
      const text = how.text(row).toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .toSorted(
      (one, other) =>
        compareValues(one.value, other.value, how.isDescending) || compareKeys(one.key, other.key),
    );
  const pages = Math.max(1, Math.ceil(found.length / how.pageRows));
  const page = Math.min(how.page, pages - 1);
  const shown = found.slice(page * how.pageRows, (page + 1) * how.pageRows);
  return { shown, count: found.length, pages, page };
}

export function nextOrder(order: SortOrder, column: string, isNumber: boolean): SortOrder {
  if (order.column === column) return { column, isDescending: !order.isDescending };
  return { column, isDescending: isNumber };
}

function compareValues(one: SortValue, other: SortValue, isDescending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const ascending =
    typeof one === "number" && typeof other === "number"
      ? one - other
      : compareKeys(String(one), String(other));
  return isDescending ? -ascending : ascending;
}

function compareKeys(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Then come the columns that say most, which a narrow window shows without scrolling. */
export function mainFirst<C extends { readonly isMain?: boolean }>(columns: readonly C[]): C[] {
  const [name, ...rest] = columns;
  if (!name) return [];
  const main = rest.filter(({ isMain }) => isMain === true);
  return [name, ...main, ...rest.filter(({ isMain }) => isMain !== true)];
}
