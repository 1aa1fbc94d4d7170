import type { HistogramRow, ToolView, ViewRows } from "../../view.ts";
import { formatCompact, formatInteger } from "#kit/text/numbers.ts";
import { formatRound } from "../format.ts";
import { pageSentences } from "../sentences.ts";
import { useWidth } from "./elements.tsx";

const height = 180;
const labelWidth = 52;
const halfLabelWidth = 34;
const barWidthMax = 56;

type HistogramProps = {
  readonly rows: ToolView["tables"]["histogram"];
  readonly refusedCalls: number;
};

export function Histogram({ rows, refusedCalls }: HistogramProps) {
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
          height={height}
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
  const hasTwoLineLabels = step < labelWidth;
  const baseline = height - (hasTwoLineLabels ? 36 : 24);
  const barSpace = baseline - 16;
  const barWidth = Math.min(barWidthMax, step * 0.8);
  const columnsPerLabel = hasTwoLineLabels ? Math.max(1, Math.ceil(halfLabelWidth / step)) : 1;
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
