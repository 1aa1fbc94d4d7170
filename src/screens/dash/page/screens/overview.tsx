import { formatCompact, formatSmallShare, pluralize } from "#kit/text/numbers.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { hasUnknownDefinitions, type Measures } from "#history/reports/usage-report.ts";
import { mayHaveEstimates, type OverviewView } from "../../view.ts";
import { formatTokens, pickSeriesClass } from "../format.ts";
import { ColumnChart } from "../parts/column-chart.tsx";
import { EmptyState } from "../parts/commands.tsx";
import {
  Count,
  Figures,
  Heading,
  listOutcomeFigures,
  makeCostFigure,
  makeTokensRenderer,
  Name,
  Swatch,
  useWidth,
} from "../parts/elements.tsx";
import { Table } from "../parts/table.tsx";
import { useMemo } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { stackBuckets, type StackSpan, splitBar } from "../stack.ts";
import { choice } from "../state.ts";
import {
  listClientColumns,
  listServerColumns,
  listSessionColumns,
  listToolColumns,
} from "./overview-columns.tsx";

const rowsPerPage = 15;
const largestFirst = { order: { column: "tokens", isDescending: true }, rowsPerPage } as const;

export function Overview({ view }: { view: OverviewView }) {
  const { head, tables } = view;
  const { bucket, series } = head;
  const { period } = choice.value;
  const stack = useMemo(() => {
    const first = period === "all" ? null : head.first;
    const span: StackSpan = bucket === "hour" ? { bucket } : { bucket, first, last: head.last };
    return stackBuckets(tables.buckets, series, span);
  }, [tables.buckets, series.join("\n"), bucket, period, head.first, head.last]);
  const isEstimated = mayHaveEstimates(head);
  if (!head.totals) {
    return (
      <>
        <Heading isHidden>Overview</Heading>
        <EmptyState
          sentence={pageSentences.noRecords}
          advice={pageSentences.noRecordsAdvice}
          commands={["mcp-meter wrap", "mcp-meter import"]}
        />
      </>
    );
  }
  return (
    <>
      <Heading isHidden>Overview</Heading>
      <Totals totals={head.totals} view={view} />
      <Composition series={series} tokens={stack.bySeries} isEstimated={isEstimated} />
      <ColumnChart stack={stack} series={series} bucket={bucket} isEstimated={isEstimated} />
      <Tables view={view} />
    </>
  );
}

function Totals({ totals, view }: { totals: Measures; view: OverviewView }) {
  const isEstimated = mayHaveEstimates(view.head);
  const live = view.head.live_sessions;
  const definitions = totals.resident_tokens + totals.loaded_tokens;
  const isUnknown = hasUnknownDefinitions(totals);
  const formatContextShare = (tokens: number): string =>
    totals.context_tokens === 0 ? "" : formatSmallShare(tokens / totals.context_tokens);
  const renderTokens = makeTokensRenderer(isEstimated);
  return (
    <Figures
      figures={[
        {
          label: "tokens",
          value: renderTokens(totals.context_tokens),
          note: `in ${pluralize(totals.sessions, "session")}${live > 0 ? `, ${live} live` : ""}`,
          isMain: true,
        },
        makeCostFigure(totals),
        {
          label: "definitions",
          value: isUnknown ? "unknown" : renderTokens(definitions),
          note: isUnknown ? "not in logs" : formatContextShare(definitions),
        },
        {
          label: "in calls",
          value: renderTokens(totals.total_tokens),
          note: formatContextShare(totals.total_tokens),
        },
        { label: "calls", value: <Count count={totals.calls} /> },
        { label: "largest call", value: renderTokens(totals.max_tokens) },
        ...listOutcomeFigures(totals, isEstimated),
        (totals.imported_calls ?? 0) > 0 && {
          label: "from logs",
          value: <Count count={totals.imported_calls ?? 0} />,
          note: "imported calls",
        },
      ]}
    />
  );
}

function Tables({ view }: { view: OverviewView }) {
  const { head, tables } = view;
  const maxShare = Math.max(0, ...Object.values(tables.tools).map(({ share }) => share));
  const context = {
    isEstimated: mayHaveEstimates(head),
    series: head.series,
    maxShare,
    hasCost: head.totals?.cost_usd !== undefined,
  };
  return (
    <>
      <Table
        id="tools"
        title="Tools"
        rows={tables.tools}
        columns={listToolColumns(context)}
        {...largestFirst}
        filterText={(row) => joinNames(row.tool, row.server)}
      />
      <div class={context.hasCost ? undefined : "pair"}>
        <Table
          id="servers"
          title="Servers"
          rows={tables.servers}
          columns={listServerColumns(context)}
          {...largestFirst}
          filterText={(row) => joinNames(row.server)}
        />
        <Table
          id="clients"
          title="Clients"
          rows={tables.clients}
          columns={listClientColumns(context)}
          {...largestFirst}
          filterText={(row) => joinNames(row.client)}
        />
      </div>
      <Table
        id="sessions"
        title="Sessions"
        rows={tables.sessions}
        columns={listSessionColumns(context)}
        order={{ column: "began", isDescending: true }}
        filterText={(row) => joinNames(row.began_local, row.server, row.client, row.session_id)}
        rowsPerPage={rowsPerPage}
      />
    </>
  );
}

function joinNames(...names: readonly (string | null | undefined)[]): string {
  return names.map((name) => name ?? "").join(" ");
}

function Composition(props: {
  series: readonly string[];
  tokens: readonly number[];
  isEstimated: boolean;
}) {
  const { series, tokens, isEstimated } = props;
  const [container, width] = useWidth();
  const total = tokens.reduce((sum, count) => sum + count, 0);
  const entries = series.map((name, index) => ({ name, index, count: tokens[index] ?? 0 }));
  const nonEmpty = entries.filter(({ count }) => count > 0);
  const texts = nonEmpty.map(
    ({ name, count }) => `${escapeUnsafe(name)} ${formatSmallShare(count / total)}`,
  );
  return (
    <div class="composition" ref={container}>
      <svg
        width={width}
        height="22"
        role="img"
        aria-label={pageSentences.composition(texts)}
        class="composition-bar"
      >
        {splitBar(tokens, width).map(({ index, x, width: barWidth }) => (
          <rect
            key={index}
            class={pickSeriesClass(index, series)}
            x={x}
            width={Math.max(1, barWidth - 2)}
            height="22"
          >
            <title>{`${escapeUnsafe(series[index] ?? "")}: ${formatTokens(tokens[index] ?? 0, isEstimated)}`}</title>
          </rect>
        ))}
      </svg>
      <ul class="legend">
        {nonEmpty.map(({ name, index, count }) => (
          <li key={name}>
            <Swatch fillClass={pickSeriesClass(index, series)} />
            <Name text={name} charactersMax={28} narrowMax={28} />
            <span class="legend-number">
              {isEstimated ? "~" : ""}
              {formatCompact(count)}
            </span>
            <span class="hint">{formatSmallShare(count / total)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
