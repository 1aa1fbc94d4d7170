import type { ViewRows } from "../view.ts";

/** A row with its key. */
type KeyedRow<R> = { readonly key: string; readonly row: R };

/** A value by which rows are sorted; null comes last in either direction. */
export type SortValue = string | number | null;

/** The column and direction in which a table is sorted. */
export type SortOrder = { readonly column: string; readonly isDescending: boolean };

/** A page of the sorted, filtered rows of a table. */
export type ArrangedRows<R> = {
  readonly shown: readonly KeyedRow<R>[];
  /** Rows that the filter lets through. */
  readonly count: number;
  readonly pages: number;
  /** From 0; the last one when the wanted page is not there any more. */
  readonly page: number;
};

/** How rows are arranged. */
export type Arrangement<R> = {
  readonly value: (row: R) => SortValue;
  readonly isDescending: boolean;
  /** Words of which each must be in the text of a row, in any case. */
  readonly filter: string;
  readonly text: (row: R) => string;
  readonly page: number;
  readonly pageRows: number;
};

/** A page of the rows of a table. Rows of the same value are in the order of their keys, so that none jumps. */
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

/** The order after a click on a column: the other direction of the same, else the natural one of the new. */
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

/** The name of the rows first, then the columns that say most, which a narrow window shows without scrolling. */
export function mainFirst<C extends { readonly isMain?: boolean }>(columns: readonly C[]): C[] {
  const [name, ...rest] = columns;
  if (!name) return [];
  const main = rest.filter(({ isMain }) => isMain === true);
  return [name, ...main, ...rest.filter(({ isMain }) => isMain !== true)];
}
