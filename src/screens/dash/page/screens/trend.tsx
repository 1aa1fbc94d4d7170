import type { TrendRow } from "#history/reports/usage-report.ts";
import type { TrendView } from "../../view.ts";
import { addressOf, definitionsChoice, toolChoice, isEstimate } from "../address.ts";
import { changeText, tokenText } from "../format.ts";
import { countColumn, mainColumn, tokenColumn } from "../parts/columns.tsx";
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
        columns={trendColumns(isEstimate(view.head), view.head.days)}
        order={{ column: "tokens", isDescending: true }}
        text={(row) => `${row.server} ${row.tool ?? ""}`}
        isEmpty={
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

function trendColumns(isAbout: boolean, days: readonly string[]): TableColumn<TrendRow>[] {
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
    countColumn(["calls-before", "calls before"], (row) => row.before.calls),
    countColumn(["calls", "calls now"], (row) => row.now.calls),
    tokenColumn(["before", "a call before"], isAbout, (row) => row.before.tokens_per_call),
    tokenColumn(["now", "a call now"], isAbout, (row) => row.now.tokens_per_call),
    {
      id: "change",
      label: "change",
      isMain: true,
      kind: "number",
      value: (row) => row.change,
      cell: (row) => <Change change={row.change} />,
    },
    mainColumn(tokenColumn(["tokens", "tokens now"], isAbout, (row) => row.now.tokens)),
    {
      id: "days",
      label: "by day",
      kind: "bar",
      value: (row) => row.daily_tokens.at(-1) ?? 0,
      cell: (row) => <Sparkline numbers={row.daily_tokens} labels={days} isEstimate={isAbout} />,
    },
  ];
}

function ToolCell({ row }: { row: TrendRow }) {
  const name = row.tool ?? (row.method === null ? null : `(${row.method})`);
  const target =
    name === null
      ? definitionsChoice(choice.value, row.server)
      : toolChoice(choice.value, row.server, name);
  return (
    <a href={addressOf(target)}>
      {name === null ? "all calls" : <Name text={name} charactersMax={32} />}
    </a>
  );
}

/** Smaller changes are noise. */
const quietShare = 0.05;

function Change({ change }: { change: number | null }) {
  if (change === null) return <span class="zero">–</span>;
  const tone = Math.abs(change) < quietShare ? undefined : change > 0 ? "bad" : "good";
  return <span class={tone}>{changeText(change)}</span>;
}

const height = 18;
const step = 7;

function Sparkline(props: {
  numbers: readonly number[];
  labels: readonly string[];
  isEstimate: boolean;
}) {
  const { numbers, labels, isEstimate: isEstimated } = props;
  const most = Math.max(1, ...numbers);
  const highest = numbers.indexOf(Math.max(...numbers));
  const text = `most on ${labels[highest] ?? "no day"}: ${tokenText(numbers[highest] ?? 0, isEstimated)}`;
  return (
    <svg
      class="sparkline"
      width={Math.max(1, numbers.length) * step}
      height={height}
      role="img"
      aria-label={text}
    >
      {numbers.map((number, at) => {
        const tall = number === 0 ? 1 : Math.max(2, (number / most) * height);
        return (
          <rect
            key={labels[at] ?? at}
            class={number === 0 ? "track" : at === highest ? "series-0 strong" : "series-0"}
            x={at * step}
            y={height - tall}
            width={step - 2}
            height={tall}
          >
            <title>{`${labels[at] ?? ""}: ${tokenText(number, isEstimated)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
