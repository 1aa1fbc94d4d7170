import type { HistogramRow, ToolView } from "../../view.ts";
import { compact } from "../format.ts";
import { useMemo } from "../preact.ts";
import { layHistogram, layScatter } from "../layouts.ts";
import { pageSentences } from "../sentences.ts";
import type { CallLook } from "../timeline.ts";
import { OutcomeLegend, useWidth } from "./text.tsx";

const height = 180;
const left = 54;
const bottom = 24;
const looks: readonly CallLook[] = ["ok", "other", "refused", "error"];

export function Histogram({ rows }: { rows: ToolView["tables"]["histogram"] }) {
  const [place, width] = useWidth();
  const columns = layHistogram(rows);
  const calls = columns.reduce((sum, { row }) => sum + row.calls, 0);
  const step = Math.max(1, width) / Math.max(1, columns.length);
  const room = height - bottom - 16;
  const every = Math.max(1, Math.ceil(38 / step));
  return (
    <section class="block" aria-labelledby="histogram-title">
      <div class="block-head">
        <h2 id="histogram-title">Calls by tokens</h2>
      </div>
      <div class="figure-box" ref={place}>
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={pageSentences.histogram(
            calls,
            columns.map(({ row }) => classText(row)),
          )}
        >
          <line class="lane-line" x1="0" x2={width} y1={height - bottom} y2={height - bottom} />
          {columns.map(({ key, row, share }, at) => (
            <g key={key} transform={`translate(${at * step} 0)`}>
              {row.calls > 0 && (
                <text class="axis middle" x={step / 2} y={height - bottom - share * room - 5}>
                  {compact(row.calls)}
                </text>
              )}
              <rect
                class="series-0"
                x={step * 0.1}
                width={Math.min(56, step * 0.8)}
                y={height - bottom - share * room}
                height={share * room}
                transform={`translate(${Math.max(0, (step * 0.8 - 56) / 2)} 0)`}
              >
                <title>{classText(row)}</title>
              </rect>
              {at % every === 0 && (
                <text class="axis middle" x={step / 2} y={height - 7}>
                  {compact(row.from)}
                </text>
              )}
            </g>
          ))}
        </svg>
      </div>
    </section>
  );
}

function classText({ from, to, calls }: HistogramRow): string {
  return pageSentences.histogramClass(compact(from), compact(to), calls);
}

export function TokensByDuration({ points }: { points: ToolView["tables"]["points"] }) {
  const [place, width] = useWidth();
  const room = Math.max(1, width - left - 14);
  const tall = height - bottom - 8;
  const { xTicks, yTicks, paths, x, y } = useMemo(
    () => layScatter(points, room, tall),
    [points, room],
  );
  const calls = Object.keys(points).length;
  return (
    <section class="block" aria-labelledby="scatter-title">
      <div class="block-head">
        <h2 id="scatter-title">Tokens by duration</h2>
        <OutcomeLegend />
      </div>
      <div class="figure-box" ref={place}>
        <svg width={width} height={height} role="img" aria-label={pageSentences.scatter(calls)}>
          <g transform={`translate(${left} 8)`}>
            {yTicks.map(({ value, label }) => (
              <g key={value}>
                <line class="grid" x1="0" x2={room} y1={y(value)} y2={y(value)} />
                <text class="axis end" x="-8" y={y(value) + 4}>
                  {label}
                </text>
              </g>
            ))}
            {xTicks.map(({ value, label }, at) => (
              <text
                key={value}
                class={at === xTicks.length - 1 ? "axis end" : "axis middle"}
                x={x(value) + (at === xTicks.length - 1 ? 12 : 0)}
                y={tall + 18}
              >
                {label}
              </text>
            ))}
            {looks.map((look) =>
              paths[look] === undefined ? null : (
                <path key={look} class={`dot call-${look}`} d={paths[look]} />
              ),
            )}
          </g>
        </svg>
      </div>
    </section>
  );
}
