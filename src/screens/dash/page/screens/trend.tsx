import type { TrendRow } from "#history/reports/usage-report.ts";
import type { TrendView } from "../../view.ts";
import { formatAddress, chooseDefinitions, chooseTool, hasEstimates } from "../address.ts";
import { formatChange, formatTokens } from "../format.ts";
import { makeCountColumn, markMain, makeTokenColumn } from "../parts/columns.tsx";
import { Empty } from "../parts/copy.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { Name, Heading } from "../parts/text.tsx";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";

export function Trend({ view }: { view: TrendView }) {
  const { before } = view.head;
  return (
    <>
      <Heading>Trend</Heading>
      <p class="facts">{pageSentences.before(before?.first ?? null, before?.last ?? null)}</p>
      <Table
        id="trend"
        title="Servers and tools"
        rows={view.tables.rows}
        columns={listTrendColumns(hasEstimates(view.head), view.head.days)}
        order={{ column: "tokens", isDescending: true }}
        text={(row) => `${row.server} ${row.tool ?? ""}`}
        emptyContent={
          <Empty
            sentence={pageSentences.noTrend}
            advice={pageSentences.noTrendAdvice}
            lines={["mcp-meter -- npx -y @modelcontextprotocol/server-memory"]}
          />
        }
      />
    </>
  );
}

function listTrendColumns(isEstimated: boolean, days: readonly string[]): TableColumn<TrendRow>[] {
  return [
    {
      id: "tool",
      label: "tool",
      value: (row) => row.tool ?? "",
      cell: (row) => <ToolCell row={row} />,
    },
    {
      id: "server",
      label: "server",
      value: (row) => row.server,
      cell: (row) => <Name text={row.server} charactersMax={20} />,
    },
    makeCountColumn(["calls-before", "calls before"], (row) => row.before.calls),
    makeCountColumn(["calls", "calls now"], (row) => row.now.calls),
    makeTokenColumn(
      ["before", "per call before"],
      isEstimated,
      (row) => row.before.tokens_per_call,
    ),
    makeTokenColumn(["now", "per call now"], isEstimated, (row) => row.now.tokens_per_call),
    {
      id: "change",
      label: "change",
      isMain: true,
      kind: "number",
      value: (row) => row.change,
      cell: (row) => <Change change={row.change} />,
    },
    markMain(makeTokenColumn(["tokens", "tokens now"], isEstimated, (row) => row.now.tokens)),
    {
      id: "days",
      label: "by day",
      kind: "bar",
      value: (row) => row.daily_tokens.at(-1) ?? 0,
      cell: (row) => (
        <Sparkline numbers={row.daily_tokens} labels={days} isEstimated={isEstimated} />
      ),
    },
  ];
}

function ToolCell({ row }: { row: TrendRow }) {
  const name = row.tool ?? (row.method === null ? null : `(${row.method})`);
  const target =
    name === null
      ? chooseDefinitions(choice.value, row.server)
      : chooseTool(choice.value, row.server, name);
  return (
    <a href={formatAddress(target)}>
      {name === null ? "all calls" : <Name text={name} charactersMax={32} />}
    </a>
  );
}

const quietShare = 0.05;

function Change({ change }: { change: number | null }) {
  if (change === null) return <span class="zero">–</span>;
  const tone = Math.abs(change) < quietShare ? undefined : change > 0 ? "bad" : "good";
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
  const text = `highest on ${labels[highest] ?? "no day"}: ${formatTokens(numbers[highest] ?? 0, isEstimated)}`;
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
            <title>{`${labels[index] ?? ""}: ${formatTokens(number, isEstimated)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
