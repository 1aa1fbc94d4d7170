import type { ViewRows } from "../../view.ts";
import { formatInteger } from "#kit/text/numbers.ts";
import { type ComponentChildren, useEffect, useRef, useState } from "../preact.ts";
import {
  arrangeRows,
  putMainColumnsAfterName,
  toggleOrder,
  type SortOrder,
  type SortValue,
} from "../rows.ts";
import { pageSentences } from "../sentences.ts";
import { isNarrow, streamState } from "../state.ts";

export type TableColumn<R> = {
  readonly id: string;
  readonly label?: string; // without one, the id is the label
  readonly value: (row: R) => SortValue;
  readonly cell?: (row: R) => ComponentChildren;
  readonly kind?: "number" | "bar";
  readonly hint?: string;
  readonly isMain?: boolean; // on a narrow page, comes right after the first column
};

type TableProps<R> = {
  readonly id: string;
  readonly title: string;
  readonly rows: ViewRows<R>;
  readonly columns: readonly TableColumn<R>[];
  readonly order: SortOrder;
  readonly filterText?: (row: R) => string;
  readonly rowsPerPage?: number;
  readonly aside?: ComponentChildren;
  readonly emptyContent?: ComponentChildren;
};

const defaultRowsPerPage = 100;

export function Table<R extends object>(props: TableProps<R>) {
  const { id, title, rows, filterText, rowsPerPage = defaultRowsPerPage } = props;
  const columns = isNarrow.value ? putMainColumnsAfterName(props.columns) : props.columns;
  const [order, setOrder] = useState(props.order);
  const [filter, setFilter] = useState("");
  const [requestedPage, setPage] = useState(0);
  const sortColumn = columns.find((candidate) => candidate.id === order.column) ?? columns[0];
  const { shown, count, pages, page } = arrangeRows(rows, {
    value: (row) => sortColumn?.value(row) ?? null,
    isDescending: order.isDescending,
    filter,
    filterText: (row) => filterText?.(row) ?? "",
    page: requestedPage,
    rowsPerPage,
  });
  const total = Object.keys(rows).length;
  return (
    <section class="block">
      <div class="block-head">
        <h2 id={`${id}-title`}>
          {title} <span class="count">{formatInteger(total)}</span>
        </h2>
        {props.aside}
        {filterText && total > 1 && (
          <Filter
            title={title}
            value={filter}
            onChange={(value) => {
              setFilter(value);
              setPage(0);
            }}
          />
        )}
      </div>
      {total === 0 && props.emptyContent ? (
        props.emptyContent
      ) : (
        <ScrollBox labelledBy={`${id}-title`}>
          <table id={id} aria-labelledby={`${id}-title`}>
            <Head columns={columns} order={order} onOrder={setOrder} />
            <tbody>
              {shown.map(({ key, row }) => (
                <Row key={key} rowKey={key} row={row} columns={columns} />
              ))}
            </tbody>
          </table>
          {shown.length === 0 && (
            <p class="no-row">{total === 0 ? pageSentences.noRows : pageSentences.noMatch}</p>
          )}
        </ScrollBox>
      )}
      {pages > 1 && (
        <Pager {...{ title, page, pages, count, rowsPerPage }} onPage={(next) => setPage(next)} />
      )}
    </section>
  );
}

// Names the columns beyond the right edge, because a phone shows no scroll bar.
function ScrollBox(props: { labelledBy: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState("");
  const update = (): void => {
    if (box.current) setHidden(listHiddenColumns(box.current).join(", "));
  };
  useEffect(() => {
    update();
    const observer = new ResizeObserver(update);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  });
  return (
    <>
      <div
        class={hidden === "" ? "box" : "box more"}
        tabIndex={0}
        role="region"
        aria-labelledby={props.labelledBy}
        ref={box}
        onScroll={update}
      >
        {props.children}
      </div>
      {hidden !== "" && (
        <p class="hidden-columns" aria-hidden="true">
          {pageSentences.hiddenColumns(hidden)}
        </p>
      )}
    </>
  );
}

function listHiddenColumns(box: HTMLElement): readonly string[] {
  const right = box.scrollLeft + box.clientWidth;
  return [...box.querySelectorAll<HTMLElement>("thead th")]
    .filter((head) => head.offsetLeft + head.offsetWidth > right + 1)
    .map((head) => head.textContent);
}

function Filter(props: { title: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      type="search"
      class="filter"
      placeholder="filter"
      aria-label={`filter ${props.title}`}
      value={props.value}
      onInput={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}

function Head<R>(props: {
  columns: readonly TableColumn<R>[];
  order: SortOrder;
  onOrder: (order: SortOrder) => void;
}) {
  const { columns, order, onOrder } = props;
  return (
    <thead>
      <tr>
        {columns.map(({ id, label, kind, hint }) => {
          const isSorted = id === order.column;
          const direction = order.isDescending ? "descending" : "ascending";
          return (
            <th
              key={id}
              scope="col"
              class={kind}
              data-column={id}
              aria-sort={isSorted ? direction : undefined}
            >
              <button
                type="button"
                title={hint}
                onClick={() => onOrder(toggleOrder(order, id, kind !== undefined))}
              >
                {label ?? id}
                <svg width="7" height="8" viewBox="0 0 7 8" aria-hidden="true" class="arrow">
                  {isSorted && <path d={order.isDescending ? "M0 2h7L3.5 7z" : "M0 6h7L3.5 1z"} />}
                </svg>
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function Row<R extends object>(props: {
  rowKey: string;
  row: R;
  columns: readonly TableColumn<R>[];
}) {
  const { row, columns } = props;
  const changes = useChanges(row);
  return (
    <tr data-key={props.rowKey} class={changes === 0 ? undefined : `changed-${changes % 2}`}>
      {columns.map(({ id, kind, cell, value }, index) => {
        const content = cell ? cell(row) : value(row);
        return index === 0 ? (
          <th key={id} scope="row" class={kind} data-column={id}>
            {content}
          </th>
        ) : (
          <td key={id} class={kind} data-column={id}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

// A snapshot replaces every row, changed or not, so only replacements by a delta are counted.
function useChanges(row: object): number {
  const before = useRef(row);
  const changes = useRef(0);
  if (before.current !== row && streamState.peek().isDelta) changes.current += 1;
  useEffect(() => {
    before.current = row;
  });
  return changes.current;
}

function Pager(props: {
  title: string;
  page: number;
  pages: number;
  count: number;
  rowsPerPage: number;
  onPage: (page: number) => void;
}) {
  const { page, pages, count, rowsPerPage, onPage } = props;
  const first = page * rowsPerPage + 1;
  return (
    <nav class="pager" aria-label={`pages of ${props.title}`}>
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        previous
      </button>
      <span>{pageSentences.rows(first, Math.min(count, first + rowsPerPage - 1), count)}</span>
      <button
        type="button"
        class="button"
        disabled={page >= pages - 1}
        onClick={() => onPage(page + 1)}
      >
        next
      </button>
    </nav>
  );
}
