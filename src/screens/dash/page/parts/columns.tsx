import type { TableColumn } from "./table.tsx";
import { Count, Tokens, Name } from "./text.tsx";
import type { Outcome } from "#records/record.ts";
import type { CallRow } from "../../view.ts";
import { durationText } from "../format.ts";
import { lookOf } from "../timeline.ts";

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

export function OutcomeText({ outcome }: { outcome: Outcome }) {
  const look = lookOf(outcome);
  return (
    <span class={look === "ok" ? "zero" : `outcome outcome-${look}`}>
      {outcome.replace("_", " ")}
    </span>
  );
}

export function callFigures<R extends CallRow>(isAbout: boolean): TableColumn<R>[] {
  return [
    tokenColumn(["input", "args"], isAbout, (row) => row.input_tokens),
    tokenColumn(["output", "result"], isAbout, (row) => row.output_tokens),
    mainColumn(tokenColumn(["tokens", "total"], isAbout, (row) => row.total_tokens)),
    tokenColumn(
      ["wire", "on the wire", "Tokens of the answer as the server sent it"],
      isAbout,
      (row) => row.wire_tokens,
    ),
    tokenColumn(
      ["duplicate", "duplicate", "Tokens that the answer has twice"],
      isAbout,
      (row) => row.duplicate_tokens,
    ),
    {
      id: "duration",
      label: "duration",
      kind: "number",
      value: (row) => row.duration_ms,
      cell: (row) => durationText(row.duration_ms),
    },
    {
      id: "outcome",
      label: "outcome",
      value: (row) => row.outcome,
      cell: (row) => <OutcomeText outcome={row.outcome} />,
    },
  ];
}

export function sessionCallColumns(isAbout: boolean): TableColumn<CallRow>[] {
  return [
    { ...countColumn<CallRow>(["seq", "#"], (row) => row.seq), cell: (row) => String(row.seq) },
    { id: "time", label: "time", value: (row) => row.ts, cell: (row) => row.time },
    {
      id: "tool",
      label: "tool",
      isMain: true,
      value: (row) => row.tool,
      cell: (row) => <Name text={row.tool} charactersMax={36} />,
    },
    ...callFigures<CallRow>(isAbout),
    tokenColumn(
      ["context", "context", "Tokens that the session had in the context after the call"],
      isAbout,
      (row) => row.context_tokens,
    ),
  ];
}
