import type { TrendRow } from "#history/reports/usage-report.ts";
import { mayHaveEstimates, type TrendView } from "../../view.ts";
import { formatChange } from "#kit/text/numbers.ts";
import { formatDay, formatTokens } from "../format.ts";
import { makeCountColumn, markMain, makeTokenColumn } from "../parts/columns.tsx";
import { EmptyState } from "../parts/commands.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { Figures, Heading, NameLink, Tokens } from "../parts/elements.tsx";
import { pageSentences } from "../sentences.ts";

const axes = ["server", "tool"] as const;
const order = { column: "tokens", isDescending: true } as const;

export function Trend({ view }: { view: TrendView }) {
  const rows = Object.entries(view.tables.rows);
  const { tokens } = view.head;
  return (
    <>
      <Heading>Trend</Heading>
      <p class="facts prose">{pageSentences.trend}</p>
      {(tokens.now > 0 || tokens.before > 0) && <TrendFigures view={view} />}
      {rows.length === 0 && (
        <EmptyState
          sentence={pageSentences.noTrend}
          advice={pageSentences.noTrendAdvice}
          commands={["mcp-meter wrap"]}
        />
      )}
      {(rows.length === 0 ? [] : axes).map((axis) => (
        <Table
          key={axis}
          id={`trend-${axis}s`}
          title={`Calls by ${axis}`}
          rows={Object.fromEntries(
            rows.filter(([, row]) => (row.tool === null) === (axis === "server")),
          )}
          columns={listTrendColumns(axis, mayHaveEstimates(view.head), view.head.days)}
          order={order}
          filterText={(row) => `${row.server} ${row.tool ?? ""}`}
        />
      ))}
    </>
  );
}

function TrendFigures({ view: { head } }: { view: TrendView }) {
  const { tokens, first, last, before } = head;
  const isEstimated = mayHaveEstimates(head);
  return (
    <Figures
      figures={[
        {
          label: "tokens in calls",
          value: <Tokens count={tokens.now} isEstimated={isEstimated} isShort />,
          note: pageSentences.days(first, last),
          isMain: true,
        },
        {
          label: "tokens before",
          value: <Tokens count={tokens.before} isEstimated={isEstimated} isShort />,
          note: pageSentences.days(before?.first, before?.last),
        },
        { label: "change", value: <Change change={computeChange(tokens)} /> },
      ]}
    />
  );
}

function computeChange({ now, before }: TrendView["head"]["tokens"]): number | null {
  if (before === 0) return now === 0 ? null : Infinity;
  return now / before - 1;
}

const serverColumn: TableColumn<TrendRow> = {
  id: "server",
  value: (row) => row.server,
  cell: ({ server }) => <NameLink server={server} charactersMax={20} />,
};

const toolColumn: TableColumn<TrendRow> = {
  id: "tool",
  value: (row) => row.tool,
  cell: ({ server, tool }) => <NameLink server={server} tool={tool} charactersMax={24} />,
};

function makeChangeColumn(
  [id, label = id]: readonly [id: string, label?: string],
  value: (row: TrendRow) => number | null,
): TableColumn<TrendRow> {
  return {
    id,
    label,
    kind: "number",
    value,
    cell: (row) => <Change change={value(row)} />,
  };
}

function listTrendColumns(
  axis: "server" | "tool",
  isEstimated: boolean,
  days: readonly string[],
): TableColumn<TrendRow>[] {
  return [
    ...(axis === "tool" ? [toolColumn, serverColumn] : [serverColumn]),
    makeTokenColumn(["tokens-before", "tokens before"], isEstimated, (row) => row.before.tokens),
    markMain(makeTokenColumn(["tokens"], isEstimated, (row) => row.now.tokens)),
    markMain(
      makeChangeColumn(["change"], ({ now, before }) =>
        computeChange({ now: now.tokens, before: before.tokens }),
      ),
    ),
    {
      id: "days",
      label: "by day",
      kind: "bar",
      value: (row) => row.daily_tokens.at(-1) ?? 0,
      cell: (row) => (
        <Sparkline numbers={row.daily_tokens} labels={days} isEstimated={isEstimated} />
      ),
    },
    makeCountColumn(["calls"], (row) => row.now.calls),
    makeTokenColumn(
      ["call-before", "per call before"],
      isEstimated,
      (row) => row.before.tokens_per_call,
    ),
    makeTokenColumn(["call", "per call"], isEstimated, (row) => row.now.tokens_per_call),
    makeChangeColumn(["call-change", "change per call"], (row) => row.change),
  ];
}

const colouredChangeMin = 0.05;

function Change({ change }: { change: number | null }) {
  if (change === null) return <span class="zero">–</span>;
  if (change === Infinity) return <>new</>;
  const tone = Math.abs(change) < colouredChangeMin ? undefined : change > 0 ? "bad" : "good";
  return <span class={tone}>{formatChange(change)}</span>;
}

const height = 18;
const step = 7;

function Sparkline(props: {
  numbers: readonly number[];
  labels: readonly string[];
  isEstimated: boolean;
}) {
  const { numbers, labels, isEstimated } = props;
  const maxTokens = Math.max(1, ...numbers);
  const highest = numbers.indexOf(Math.max(...numbers));
  const text = `highest on ${formatDay(labels[highest] ?? "no day")}: ${formatTokens(numbers[highest] ?? 0, isEstimated)}`;
  return (
    <svg
      class="sparkline"
      width={Math.max(1, numbers.length) * step}
      height={height}
      role="img"
      aria-label={text}
    >
      {numbers.map((number, index) => {
        const barHeight = number === 0 ? 1 : Math.max(2, (number / maxTokens) * height);
        return (
          <rect
            key={labels[index] ?? index}
            class={number === 0 ? "track" : index === highest ? "series-0 strong" : "series-0"}
            x={index * step}
            y={height - barHeight}
            width={step - 2}
            height={barHeight}
          >
            <title>{`${formatDay(labels[index] ?? "")}: ${formatTokens(number, isEstimated)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
