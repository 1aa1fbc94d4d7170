import { formatDollarRange } from "#kit/text/numbers.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { ToolViewRow, ViewChoice } from "../../view.ts";
import { addressOf, definitionsChoice, sessionChoice, toolChoice } from "../address.ts";
import { shareText, shortName, isDefinitions, rowLook } from "../format.ts";
import { countColumn, mainColumn, tokenColumn } from "../parts/columns.tsx";
import type { TableColumn } from "../parts/table.tsx";
import { Name, ShareBar, Swatch } from "../parts/text.tsx";
import { pageSentences } from "../sentences.ts";

type ColumnContext = {
  readonly isAbout: boolean;
  readonly choice: ViewChoice;
  readonly series: readonly string[];
  readonly most: number;
};

export function toolColumns(context: ColumnContext, withCost: boolean): TableColumn<ToolViewRow>[] {
  const { isAbout, series, most } = context;
  return [
    {
      id: "tool",
      label: "tool",
      value: (row) => row.tool ?? "",
      cell: (row) => <ToolCell row={row} context={context} />,
    },
    {
      id: "server",
      label: "server",
      value: (row) => row.server ?? "",
      cell: (row) => <Name text={row.server ?? ""} charactersMax={18} />,
    },
    mainColumn(countColumn(["calls", "calls"], (row) => row.calls)),
    countColumn(["errors", "errors", "bad"], (row) => row.errors),
    countColumn(["refused", "refused", "warn"], (row) => row.refused),
    tokenColumn(
      ["input", "args", "Tokens of arguments, which the model wrote"],
      isAbout,
      (row) => row.input_tokens,
    ),
    tokenColumn(
      ["output", "result", "Tokens of answers, which the model read"],
      isAbout,
      (row) => row.output_tokens,
    ),
    mainColumn(
      tokenColumn(
        ["tokens", "in context", "All tokens that entered contexts"],
        isAbout,
        (row) => row.context_tokens,
      ),
    ),
    {
      id: "share",
      label: "share",
      kind: "bar",
      value: (row) => row.share,
      cell: (row) => (
        <>
          <ShareBar share={row.share} most={most} look={rowLook(row, series)} />
          <span class="share">{shareText(row.share)}</span>
        </>
      ),
    },
    tokenColumn(["average", "avg"], isAbout, (row) => row.average_tokens),
    tokenColumn(
      ["p95", "p95", "95 of 100 calls have at most these tokens"],
      isAbout,
      (row) => row.p95_tokens,
    ),
    tokenColumn(["max", "max"], isAbout, (row) => (row.calls === 0 ? null : row.max_tokens)),
    ...(withCost ? [costColumn<ToolViewRow>()] : []),
  ];
}

function costColumn<R extends UsageRow>(): TableColumn<R> {
  return {
    id: "cost",
    label: "cost",
    kind: "number",
    value: (row) => row.cost_usd?.high ?? null,
    cell: (row) => (row.cost_usd ? formatDollarRange(row.cost_usd) : <span class="zero">–</span>),
  };
}

function ToolCell({ row, context }: { row: UsageRow; context: ColumnContext }) {
  if (row.more !== undefined) return <>{pageSentences.moreRows(row.more)}</>;
  const { server = "", tool = "" } = row;
  const target = isDefinitions(row)
    ? definitionsChoice(context.choice, server)
    : toolChoice(context.choice, server, tool);
  return (
    <>
      <Swatch look={rowLook(row, context.series)} />
      <a href={addressOf(target)}>
        <Name text={tool} charactersMax={30} />
      </a>
    </>
  );
}

export function serverColumns({ isAbout, choice }: ColumnContext): TableColumn<UsageRow>[] {
  return [
    {
      id: "server",
      label: "server",
      value: (row) => row.server ?? "",
      cell: (row) =>
        row.more === undefined ? (
          <a href={addressOf(definitionsChoice(choice, row.server))}>
            <Name text={row.server ?? ""} charactersMax={32} />
          </a>
        ) : (
          pageSentences.moreRows(row.more)
        ),
    },
    countColumn(["sessions", "sessions"], (row) => row.sessions),
    countColumn(["calls", "calls"], (row) => row.calls),
    tokenColumn(
      ["definitions", "definitions"],
      isAbout,
      (row) => row.resident_tokens + row.loaded_tokens,
    ),
    mainColumn(tokenColumn(["tokens", "in context"], isAbout, (row) => row.context_tokens)),
    shareColumn(),
  ];
}

export function clientColumns({ isAbout }: ColumnContext): TableColumn<UsageRow>[] {
  return [
    {
      id: "client",
      label: "client",
      value: (row) => row.client ?? null,
      cell: (row) =>
        row.more === undefined ? (
          <Name text={row.client ?? "unknown"} charactersMax={32} />
        ) : (
          pageSentences.moreRows(row.more)
        ),
    },
    countColumn(["sessions", "sessions"], (row) => row.sessions),
    countColumn(["calls", "calls"], (row) => row.calls),
    mainColumn(tokenColumn(["tokens", "in context"], isAbout, (row) => row.context_tokens)),
    shareColumn(),
  ];
}

function shareColumn(): TableColumn<UsageRow> {
  return {
    id: "share",
    label: "share",
    kind: "number",
    value: (row) => row.share,
    cell: (row) => shareText(row.share),
  };
}

export function sessionColumns({ isAbout, choice }: ColumnContext): TableColumn<UsageRow>[] {
  return [
    {
      id: "began",
      label: "began",
      value: (row) => row.began ?? row.began_local ?? null,
      cell: (row) =>
        row.session_id === undefined ? (
          pageSentences.moreRows(row.more ?? 0)
        ) : (
          <a href={addressOf(sessionChoice(choice, row.session_id))}>
            {row.began_local ?? shortName(row.session_id, 20)}
          </a>
        ),
    },
    {
      id: "server",
      label: "server",
      value: (row) => row.server ?? "",
      cell: (row) => <Name text={row.server ?? ""} charactersMax={32} />,
    },
    {
      id: "client",
      label: "client",
      value: (row) => row.client ?? null,
      cell: (row) => <Name text={row.client ?? "–"} charactersMax={32} />,
    },
    countColumn(["calls", "calls"], (row) => row.calls),
    countColumn(["errors", "errors", "bad"], (row) => row.errors),
    countColumn(["refused", "refused", "warn"], (row) => row.refused),
    tokenColumn(
      ["definitions", "definitions"],
      isAbout,
      (row) => row.resident_tokens + row.loaded_tokens,
    ),
    tokenColumn(["called", "in calls"], isAbout, (row) => row.total_tokens),
    mainColumn(tokenColumn(["tokens", "in context"], isAbout, (row) => row.context_tokens)),
  ];
}
