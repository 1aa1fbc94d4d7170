import type { TableColumn } from "./table.tsx";
import { Count, Tokens } from "./text.tsx";

export function tokenColumn<R>(
  [id, label, hint]: readonly [id: string, label: string, hint?: string],
  isAbout: boolean,
  value: (row: R) => number | null,
): TableColumn<R> {
  return {
    id,
    label,
    ...(hint === undefined ? {} : { hint }),
    kind: "number",
    value,
    cell: (row) => {
      const count = value(row);
      return count === null ? (
        <span class="zero">–</span>
      ) : (
        <Tokens count={count} isEstimate={isAbout} />
      );
    },
  };
}

export function countColumn<R>(
  [id, label, tone]: readonly [id: string, label: string, tone?: "bad" | "warn"],
  value: (row: R) => number,
): TableColumn<R> {
  return {
    id,
    label,
    kind: "number",
    value,
    cell: (row) => <Count count={value(row)} tone={tone} />,
  };
}

export function mainColumn<R>(column: TableColumn<R>): TableColumn<R> {
  return { ...column, isMain: true };
}
