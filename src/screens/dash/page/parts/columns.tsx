import { numberCalls, pickCallStyle } from "../timeline.ts";
import type { TableColumn } from "./table.tsx";
import { Count, Tokens, Name } from "./elements.tsx";
import type { Outcome } from "#records/record.ts";
import type { CallRow } from "../../view.ts";
import { formatElapsed } from "#kit/text/durations.ts";

export function makeTokenColumn<R>(
  [id, label = id, hint]: readonly [id: string, label?: string, hint?: string],
  isEstimated: boolean,
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
        <Tokens count={count} isEstimated={isEstimated} />
      );
    },
  };
}

export function makeCountColumn<R>(
  [id, label = id, tone]: readonly [id: string, label?: string, tone?: "bad" | "warn"],
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

export function markMain<R>(column: TableColumn<R>): TableColumn<R> {
  return { ...column, isMain: true };
}

export function OutcomeText({ outcome }: { outcome: Outcome }) {
  const style = pickCallStyle(outcome);
  return (
    <span class={style === "ok" ? "zero" : `outcome outcome-${style}`}>
      {outcome.replace("_", " ")}
    </span>
  );
}

export function listCallColumns<R extends CallRow>(isEstimated: boolean): TableColumn<R>[] {
  return [
    makeTokenColumn(["input", "args"], isEstimated, (row) => row.input_tokens),
    makeTokenColumn(["output", "result"], isEstimated, (row) => row.output_tokens),
    markMain(makeTokenColumn(["tokens", "total"], isEstimated, (row) => row.total_tokens)),
    makeTokenColumn(
      ["wire", "on the wire", "Tokens of the answer as the server sent it"],
      isEstimated,
      (row) => row.wire_tokens,
    ),
    makeTokenColumn(
      ["duplicate", "duplicate", "Tokens that the answer contains twice"],
      isEstimated,
      (row) => row.duplicate_tokens,
    ),
    {
      id: "duration",
      kind: "number",
      value: (row) => row.duration_ms,
      // The dashboard's server rounds to whole milliseconds, so 0 means less than one.
      cell: ({ duration_ms: ms }) =>
        ms === null ? <span class="zero">–</span> : ms === 0 ? "<1 ms" : formatElapsed(ms),
    },
    {
      id: "outcome",
      isMain: true,
      value: (row) => row.outcome,
      cell: (row) => <OutcomeText outcome={row.outcome} />,
    },
  ];
}

export function listSessionCallColumns(
  isEstimated: boolean,
  calls: readonly CallRow[],
): TableColumn<CallRow>[] {
  const numbers = numberCalls(calls);
  return [
    {
      ...makeCountColumn<CallRow>(["seq", "#"], (row) => numbers.get(row.seq) ?? 0),
      hint: 'Number of the call in the timeline\'s "by order" view',
    },
    { id: "time", value: (row) => row.ts, cell: (row) => row.time },
    {
      id: "tool",
      isMain: true,
      value: (row) => row.tool,
      cell: (row) => <Name text={row.tool} charactersMax={36} narrowMax={14} />,
    },
    ...listCallColumns<CallRow>(isEstimated),
    makeTokenColumn(
      ["context", "context", "Tokens in the session's context after the call"],
      isEstimated,
      (row) => row.context_tokens,
    ),
  ];
}
