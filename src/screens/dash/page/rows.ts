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
  readonly filterText: (row: R) => string;
  readonly page: number;
  readonly rowsPerPage: number;
};

// Rows with equal values are sorted by key, so that they keep their order when the page updates.
export function arrangeRows<R>(rows: ViewRows<R>, arrangement: Arrangement<R>): ArrangedRows<R> {
  const terms = arrangement.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = Object.entries(rows)
    .map(([key, row]) => ({ key, row, value: arrangement.value(row) }))
    .filter(({ row }) => {
      if (terms.length === 0) return true;
      const text = arrangement.filterText(row).toLowerCase();
      return terms.every((term) => text.includes(term));
    })
    .toSorted(
      (a, b) =>
        compareValues(a.value, b.value, arrangement.isDescending) || compareTexts(a.key, b.key),
    );
  const pages = Math.max(1, Math.ceil(matches.length / arrangement.rowsPerPage));
  const page = Math.min(arrangement.page, pages - 1);
  const shown = matches.slice(page * arrangement.rowsPerPage, (page + 1) * arrangement.rowsPerPage);
  return { shown, count: matches.length, pages, page };
}

export function toggleOrder(order: SortOrder, column: string, isNumber: boolean): SortOrder {
  if (order.column === column) return { column, isDescending: !order.isDescending };
  return { column, isDescending: isNumber };
}

function compareValues(left: SortValue, right: SortValue, isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const ascending =
    typeof left === "number" && typeof right === "number"
      ? left - right
      : compareTexts(String(left), String(right));
  return isDescending ? -ascending : ascending;
}

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function putMainColumnsAfterName<C extends { readonly isMain?: boolean }>(
  columns: readonly C[],
): C[] {
  const [nameColumn, ...valueColumns] = columns;
  if (!nameColumn) return [];
  const main = valueColumns.filter(({ isMain }) => isMain === true);
  return [nameColumn, ...main, ...valueColumns.filter(({ isMain }) => isMain !== true)];
}
