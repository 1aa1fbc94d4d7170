import { formatCompact, formatInteger, formatSmallShare, pluralize } from "#kit/text/numbers.ts";
import { formatElapsed } from "#kit/text/durations.ts";
import {
  mayHaveEstimates,
  type HistogramRow,
  type ToolView,
  type ToolViewRow,
  type ViewRows,
} from "../../view.ts";
import { formatAddress, switchScreen, openScreen } from "../address.ts";
import { formatRound, formatWorstCaseNote, describeWorstCase } from "../format.ts";
import {
  Figures,
  Heading,
  listOutcomeFigures,
  makeCostFigure,
  makeTokensRenderer,
  Name,
  NameLink,
  useTick,
  useWidth,
} from "../parts/elements.tsx";
import { listCallColumns } from "../parts/columns.tsx";
import { EmptyState } from "../parts/commands.tsx";
import { Table, type TableColumn } from "../parts/table.tsx";
import { pageSentences } from "../sentences.ts";
import { choice } from "../state.ts";
import { listCounterColumns, mostUsedFirst } from "./budgets.tsx";

export function Tool({ view }: { view: ToolView }) {
  const { head, tables } = view;
  const isEstimated = mayHaveEstimates(head);
  return (
    <>
      <p class="trail">
        <a href={formatAddress(switchScreen(choice.value, "overview"))}>Overview</a> /{" "}
        <NameLink server={head.server} />
      </p>
      <Heading>
        <Name text={head.tool} charactersMax={80} />
      </Heading>
      {head.row ? (
        <>
          <ToolFigures row={head.row} view={view} />
          <Counters view={view} />
          <Histogram rows={tables.histogram} refusedCalls={head.row.refused} />
          <Table
            id="calls"
            title="Last calls"
            rows={tables.calls}
            columns={listLastCallColumns(isEstimated)}
            order={{ column: "time", isDescending: true }}
          />
        </>
      ) : (
        <>
          <Counters view={view} />
          <EmptyState
            sentence={pageSentences.noTool}
            advice={pageSentences.noToolAdvice}
            commands={["mcp-meter report --by tool"]}
          />
        </>
      )}
    </>
  );
}

function ToolFigures({ row, view }: { row: ToolViewRow; view: ToolView }) {
  const isEstimated = mayHaveEstimates(view.head);
  const renderTokens = makeTokensRenderer(isEstimated);
  const { definition_tokens: definition, worst_case: worst } = view.head;
  return (
    <Figures
      figures={[
        {
          label: "tokens",
          value: renderTokens(row.context_tokens),
          note: `of ${pluralize(row.calls, "call")}`,
          isMain: true,
        },
        makeCostFigure(row),
        { label: "share", value: formatSmallShare(row.share), note: "of its server" },
        {
          label: "average",
          value: renderTokens(row.average_tokens),
          note: row.refused > 0 ? "per call, without refused calls" : "per call",
        },
        { label: "p95", value: renderTokens(row.p95_tokens) },
        { label: "largest", value: renderTokens(row.max_tokens) },
        ...listOutcomeFigures(row, isEstimated),
        { label: "definition", value: renderTokens(definition) },
        worst !== null && {
          label: "worst case",
          value: describeWorstCase(worst),
          note: formatWorstCaseNote(worst),
        },
      ]}
    />
  );
}

function Counters({ view }: { view: ToolView }) {
  const { counters } = view.head;
  useTick();
  if (counters.length === 0) return null;
  return (
    <Table
      id="counters"
      title="Budgets"
      rows={Object.fromEntries(Object.entries(counters))}
      columns={listCounterColumns(counters)}
      order={mostUsedFirst}
    />
  );
}

type LastCall = ToolView["tables"]["calls"][string];

function listLastCallColumns(isEstimated: boolean): TableColumn<LastCall>[] {
  return [
    {
      id: "time",
      value: (row) => row.ts,
      cell: (row) => (
        <a href={formatAddress(openScreen(choice.value, "session", { session: row.session_id }))}>
          {row.day} {row.time}
        </a>
      ),
    },
    {
      id: "offset",
      label: "in session",
      kind: "number",
      value: (row) => row.offset_ms,
      cell: (row) => formatElapsed(row.offset_ms),
    },
    ...listCallColumns<LastCall>(isEstimated),
  ];
}

const histogramHeight = 180;
const oneLineLabelWidth = 52;
const twoLineLabelWidth = 34;
const barWidthMax = 56;

type HistogramProps = {
  readonly rows: ToolView["tables"]["histogram"];
  readonly refusedCalls: number;
};

function Histogram({ rows, refusedCalls }: HistogramProps) {
  const [container, width] = useWidth();
  const columns = layOutHistogram(rows);
  const calls = columns.reduce((sum, { row }) => sum + row.calls, 0);
  return (
    <section class="block" aria-labelledby="histogram-title">
      <div class="block-head">
        <h2 id="histogram-title">
          Calls by tokens per call <span class="count">{formatInteger(calls)}</span>
        </h2>
        {refusedCalls > 0 && (
          <span class="hint">{pageSentences.withoutRefusedCalls(refusedCalls)}</span>
        )}
      </div>
      <div class="figure-box" ref={container}>
        <svg
          width={width}
          height={histogramHeight}
          role="img"
          aria-label={pageSentences.histogram(
            calls,
            columns.map(({ row }) => describeRange(row)),
          )}
        >
          <Columns columns={columns} width={width} />
        </svg>
      </div>
    </section>
  );
}

function Columns({ columns, width }: { columns: readonly HistogramColumn[]; width: number }) {
  const step = Math.max(1, width) / Math.max(1, columns.length);
  const hasTwoLineLabels = step < oneLineLabelWidth;
  const baseline = histogramHeight - (hasTwoLineLabels ? 36 : 24);
  const barSpace = baseline - 16;
  const barWidth = Math.min(barWidthMax, step * 0.8);
  const columnsPerLabel = hasTwoLineLabels ? Math.max(1, Math.ceil(twoLineLabelWidth / step)) : 1;
  return (
    <>
      <line class="lane-line" x1="0" x2={width} y1={baseline} y2={baseline} />
      {columns.map(({ key, row, share }, index) => (
        <g key={key} transform={`translate(${index * step} 0)`}>
          {row.calls > 0 && (
            <text class="axis middle" x={step / 2} y={baseline - share * barSpace - 5}>
              {formatCompact(row.calls)}
            </text>
          )}
          <rect
            class="series-0"
            x={(step - barWidth) / 2}
            width={barWidth}
            y={baseline - share * barSpace}
            height={share * barSpace}
          >
            <title>{describeRange(row)}</title>
          </rect>
          {index % columnsPerLabel === 0 && (
            <text class="axis middle" y={baseline + 15}>
              <tspan x={step / 2}>{`${formatRound(row.from)}–`}</tspan>
              <tspan {...(hasTwoLineLabels ? { x: step / 2, dy: 13 } : {})}>
                {formatRound(row.to)}
              </tspan>
            </text>
          )}
        </g>
      ))}
    </>
  );
}

function describeRange({ from, to, calls }: HistogramRow): string {
  return pageSentences.histogramClass(formatRound(from), formatRound(to), calls);
}

type HistogramColumn = {
  readonly key: string;
  readonly row: HistogramRow;
  readonly share: number;
};

function layOutHistogram(rows: ViewRows<HistogramRow>): HistogramColumn[] {
  const maxCalls = Math.max(1, ...Object.values(rows).map(({ calls }) => calls));
  return Object.entries(rows)
    .toSorted(([, a], [, b]) => a.from - b.from)
    .map(([key, row]) => ({ key, row, share: row.calls / maxCalls }));
}
