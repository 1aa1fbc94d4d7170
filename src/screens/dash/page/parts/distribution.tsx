import type { HistogramRow, ToolView } from "../../view.ts";
import { formatCompact } from "../format.ts";
import { useMemo } from "../preact.ts";
import { layOutHistogram, layOutScatter } from "../layouts.ts";
import { pageSentences } from "../sentences.ts";
import type { CallStyle } from "../timeline.ts";
import { OutcomeLegend, useWidth } from "./text.tsx";

const height = 180;
const leftMargin = 54;
const bottomMargin = 24;
const callStyles: readonly CallStyle[] = ["ok", "other", "refused", "error"];

export function Histogram({ rows }: { rows: ToolView["tables"]["histogram"] }) {
  const [container, width] = useWidth();
  const columns = layOutHistogram(rows);
  const calls = columns.reduce((sum, { row }) => sum + row.calls, 0);
  const step = Math.max(1, width) / Math.max(1, columns.length);
  const baseline = height - bottomMargin;
  const barSpace = baseline - 16;
  const labelEvery = Math.max(1, Math.ceil(38 / step));
  return (
    <section class="block" aria-labelledby="histogram-title">
      <div class="block-head">
        <h2 id="histogram-title">Calls by tokens</h2>
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
                x={step * 0.1}
                width={Math.min(56, step * 0.8)}
                y={baseline - share * barSpace}
                height={share * barSpace}
                transform={`translate(${Math.max(0, (step * 0.8 - 56) / 2)} 0)`}
              >
                <title>{describeRange(row)}</title>
              </rect>
              {index % labelEvery === 0 && (
                <text class="axis middle" x={step / 2} y={height - 7}>
                  {formatCompact(row.from)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </section>
  );
}

function describeRange({ from, to, calls }: HistogramRow): string {
  return pageSentences.histogramClass(formatCompact(from), formatCompact(to), calls);
}

export function TokensByDuration({ points }: { points: ToolView["tables"]["points"] }) {
  const [container, width] = useWidth();
  const plotWidth = Math.max(1, width - leftMargin - 14);
  const plotHeight = height - bottomMargin - 8;
  const { xTicks, yTicks, paths, x, y } = useMemo(
    () => layOutScatter(points, plotWidth, plotHeight),
    [points, plotWidth],
  );
  const calls = Object.keys(points).length;
  return (
    <section class="block" aria-labelledby="scatter-title">
      <div class="block-head">
        <h2 id="scatter-title">Tokens by duration</h2>
        <OutcomeLegend />
      </div>
      <div class="figure-box" ref={container}>
        <svg width={width} height={height} role="img" aria-label={pageSentences.scatter(calls)}>
          <g transform={`translate(${leftMargin} 8)`}>
            {yTicks.map(({ value, label }) => (
              <g key={value}>
                <line class="grid" x1="0" x2={plotWidth} y1={y(value)} y2={y(value)} />
                <text class="axis end" x="-8" y={y(value) + 4}>
                  {label}
                </text>
              </g>
            ))}
            {xTicks.map(({ value, label }, index) => (
              <text
                key={value}
                class={index === xTicks.length - 1 ? "axis end" : "axis middle"}
                x={x(value) + (index === xTicks.length - 1 ? 12 : 0)}
                y={plotHeight + 18}
              >
                {label}
              </text>
            ))}
            {callStyles.map((style) =>
              paths[style] === undefined ? null : (
                <path key={style} class={`dot call-${style}`} d={paths[style]} />
              ),
            )}
          </g>
        </svg>
      </div>
    </section>
  );
}
