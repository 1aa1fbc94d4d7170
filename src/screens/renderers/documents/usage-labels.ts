import { reportNameColumnsMax } from "#kit/limits.ts";
import type { Axis } from "#history/reports/axes.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { Cell, Column } from "../document.ts";

type LabelColumn = Column & { readonly cellOf: (row: UsageRow) => Cell };

export function labelColumns(by: readonly Axis[]): readonly LabelColumn[] {
  const last = by.at(-1);
  return by.flatMap((axis) => {
    const [first, ...others] = columnsOf(axis, by);
    if (!first || axis !== last) return [...(first ? [first] : []), ...others];
    const cellOf = (row: UsageRow): Cell =>
      row.more === undefined ? first.cellOf(row) : `(${row.more} more)`;
    return [{ ...first, cellOf }, ...others];
  });
}

/** Of two label columns the first matters more; those of a session besides its id may be left out. */
function columnsOf(axis: Axis, by: readonly Axis[]): readonly LabelColumn[] {
  switch (axis) {
    case "day":
      return [{ head: "day", cellOf: ({ day }) => day ?? "" }];
    case "week":
      return [{ head: "week of", cellOf: ({ week }) => week ?? "" }];
    case "month":
      return [{ head: "month", cellOf: ({ month }) => month ?? "" }];
    case "session":
      return sessionColumns(by);
    case "server":
      return [serverColumn];
    case "tool":
      return by.includes("server") || by.includes("session")
        ? [toolColumn]
        : [serverColumn, toolColumn];
    case "model":
      return [{ head: "model", cellOf: ({ model }) => known(model) }];
    case "client":
      return [{ head: "client", cellOf: ({ client }) => known(client) }];
    case "machine":
      return [{ head: "machine", cellOf: ({ machine }) => known(machine) }];
  }
}

const serverColumn: LabelColumn = { head: "server", cellOf: ({ server }) => known(server) };
const toolColumn: LabelColumn = { head: "tool", cellOf: ({ tool }) => known(tool) };

function sessionColumns(by: readonly Axis[]): readonly LabelColumn[] {
  return [
    { head: "session", cellOf: ({ session_id: id }) => known(id) },
    { head: "began", dropRank: 3, cellOf: ({ began_local: began }) => began ?? "" },
    ...(by.includes("server") ? [] : [{ ...serverColumn, dropRank: 12 }]),
    ...(by.includes("client")
      ? []
      : [{ head: "client", dropRank: 4, cellOf: ({ client }: UsageRow) => known(client) }]),
  ];
}

function known(name: string | null | undefined): Cell {
  if (name === undefined) return "";
  return name === null ? "(unknown)" : { name, columnsMax: reportNameColumnsMax };
}
