import { formatDollarRange, formatSmallShare } from "#kit/text/numbers.ts";
import { hasUnknownDefinitions, type UsageRow } from "#history/reports/usage-report.ts";
import type { ToolViewRow } from "../../view.ts";
import { formatAddress, openScreen } from "../address.ts";
import { shortenName, isDefinitionsRow, pickRowClass } from "../format.ts";
import { makeCountColumn, markMain, makeTokenColumn } from "../parts/columns.tsx";
import type { TableColumn } from "../parts/table.tsx";
import { Name, NameLink, ShareBar, Swatch } from "../parts/elements.tsx";
import type { ComponentChildren } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { choice, isNarrow } from "../state.ts";

type ColumnContext = {
  readonly isEstimated: boolean;
  readonly series: readonly string[];
  readonly maxShare: number;
  readonly hasCost: boolean;
};

export function listToolColumns(context: ColumnContext): TableColumn<ToolViewRow>[] {
  const { isEstimated, series, maxShare, hasCost } = context;
  return [
    makeNameColumn("tool", (row) => <ToolCell row={row} {...context} />),
    {
      id: "server",
      value: (row) => row.server ?? null,
      cell: ({ server }) =>
        server !== undefined && <Name text={server} charactersMax={24} narrowMax={11} />,
    },
    { ...makeCountColumn<ToolViewRow>(["calls"], (row) => row.calls), isMain: !hasCost },
    makeCountColumn(["errors", "errors", "bad"], (row) => row.errors),
    makeCountColumn(["refused", "refused", "warn"], (row) => row.refused),
    makeTokenColumn(
      ["input", "args", "Tokens of the arguments, written by the model"],
      isEstimated,
      (row) => row.input_tokens,
    ),
    makeTokenColumn(
      ["output", "result", "Tokens of the answers, read by the model"],
      isEstimated,
      (row) => row.output_tokens,
    ),
    markMain(
      makeTokenColumn(
        ["tokens", "tokens", "All tokens that entered the contexts"],
        isEstimated,
        (row) => row.context_tokens,
      ),
    ),
    ...(hasCost ? [makeCostColumn<ToolViewRow>()] : []),
    {
      id: "share",
      kind: "bar",
      value: (row) => row.share,
      cell: (row) => (
        <>
          <ShareBar share={row.share} max={maxShare} fillClass={pickRowClass(row, series)} />
          <span class="share">{formatSmallShare(row.share)}</span>
        </>
      ),
    },
    makeTokenColumn(["average", "avg"], isEstimated, (row) => row.average_tokens),
    makeTokenColumn(
      ["p95", "p95", "95 of 100 calls take at most this many tokens"],
      isEstimated,
      (row) => row.p95_tokens,
    ),
    makeTokenColumn(["max"], isEstimated, (row) => (row.calls === 0 ? null : row.max_tokens)),
  ];
}

function makeCostColumn<R extends UsageRow>(): TableColumn<R> {
  return {
    id: "cost",
    kind: "number",
    isMain: true,
    value: (row) => row.cost_usd?.high ?? null,
    cell: (row) => (row.cost_usd ? formatDollarRange(row.cost_usd) : <span class="zero">–</span>),
  };
}

function makeNameColumn<R extends UsageRow>(
  id: "tool" | "server" | "client",
  renderName: (row: R) => ComponentChildren,
): TableColumn<R> {
  return {
    id,
    value: (row) => row[id] ?? null,
    cell: (row) => (row.more === undefined ? renderName(row) : pageSentences.moreRows(row.more)),
  };
}

function ToolCell({ row, series, hasCost }: ColumnContext & { row: UsageRow }) {
  const { server = "", tool = "" } = row;
  const link = isDefinitionsRow(row) ? { server, text: tool } : { server, tool };
  return (
    <>
      <Swatch fillClass={pickRowClass(row, series)} />
      <NameLink {...link} charactersMax={30} {...(hasCost ? { narrowMax: 11 } : {})} />
    </>
  );
}

export function listServerColumns(context: ColumnContext): TableColumn<UsageRow>[] {
  const [sessions, calls, ...tokens] = listPartyColumns(context);
  return [
    makeNameColumn("server", ({ server = "" }) => <NameLink server={server} charactersMax={22} />),
    sessions,
    calls,
    makeDefinitionsColumn(context),
    ...tokens,
  ];
}

export function listClientColumns(context: ColumnContext): TableColumn<UsageRow>[] {
  return [makeNameColumn("client", renderClient), ...listPartyColumns(context)];
}

function renderClient({ client }: UsageRow) {
  return <Name text={client ?? "unknown"} charactersMax={32} />;
}

// A party is a server or a client.
type PartyColumns = readonly [
  sessions: TableColumn<UsageRow>,
  calls: TableColumn<UsageRow>,
  ...tokens: TableColumn<UsageRow>[],
];

function listPartyColumns({ isEstimated, hasCost }: ColumnContext): PartyColumns {
  return [
    makeCountColumn(["sessions"], (row) => row.sessions),
    makeCountColumn(["calls"], (row) => row.calls),
    markMain(makeTokenColumn(["tokens"], isEstimated, (row) => row.context_tokens)),
    ...(hasCost ? [makeCostColumn<UsageRow>()] : []),
    {
      id: "share",
      kind: "number",
      value: (row) => row.share,
      cell: (row) => formatSmallShare(row.share),
    },
  ];
}

function makeDefinitionsColumn({ isEstimated }: ColumnContext): TableColumn<UsageRow> {
  return makeTokenColumn(["definitions"], isEstimated, (row) =>
    hasUnknownDefinitions(row) ? null : row.resident_tokens + row.loaded_tokens,
  );
}

// Shows seconds, because several sessions may begin in one minute. A narrow page has no room for seconds or years.
function formatBegan({ began, began_local: local }: UsageRow): string | undefined {
  if (local === undefined) return undefined;
  if (isNarrow.value) return local.slice(yearLength);
  return `${local}${began?.slice(isoMinuteLength, isoSecondLength) ?? ""}`;
}

const yearLength = "2026-".length;

const isoMinuteLength = "2026-11-22T12:00".length;

const isoSecondLength = "2026-11-22T12:00:00".length;

export function listSessionColumns(context: ColumnContext): TableColumn<UsageRow>[] {
  const { isEstimated, hasCost } = context;
  return [
    {
      id: "began",
      value: (row) => row.began ?? row.began_local ?? null,
      cell: (row) =>
        row.session_id === undefined ? (
          pageSentences.moreRows(row.more ?? 0)
        ) : (
          <a href={formatAddress(openScreen(choice.value, "session", { session: row.session_id }))}>
            {formatBegan(row) ?? shortenName(row.session_id, 20)}
          </a>
        ),
    },
    makeNameColumn("server", ({ server = "" }) => <Name text={server} charactersMax={32} />),
    makeNameColumn("client", renderClient),
    makeCountColumn(["calls"], (row) => row.calls),
    makeCountColumn(["errors", "errors", "bad"], (row) => row.errors),
    makeCountColumn(["refused", "refused", "warn"], (row) => row.refused),
    makeDefinitionsColumn(context),
    makeTokenColumn(["called", "in calls"], isEstimated, (row) => row.total_tokens),
    markMain(makeTokenColumn(["tokens"], isEstimated, (row) => row.context_tokens)),
    ...(hasCost ? [makeCostColumn<UsageRow>()] : []),
  ];
}
