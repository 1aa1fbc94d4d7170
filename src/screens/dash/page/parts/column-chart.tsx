import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { plotColumns, type ColumnPlot } from "../plot.ts";
import { formatDay, formatTokens, pickSeriesClass } from "../format.ts";
import { useEffect, useRef, useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { findHighestColumn, type Stack } from "../stack.ts";
import { Swatch, useWidth } from "./elements.tsx";

const height = 190;

type ChartProps = {
  readonly stack: Stack;
  readonly series: readonly string[];
  readonly bucket: "hour" | "day";
  readonly isEstimated: boolean;
};

export function ColumnChart(props: ChartProps) {
  const { stack, series, bucket, isEstimated } = props;
  const [pointedColumn, setPointedColumn] = useState<number | null>(null);
  const [container, width] = useWidth();
  usePlot({ container, width, stack, series }, setPointedColumn);
  const highest = findHighestColumn(stack);
  const text =
    highest === undefined
      ? pageSentences.emptyChart
      : pageSentences.chart(
          bucket,
          formatDay(stack.labels[highest] ?? ""),
          formatTokens(stack.totals[highest] ?? 0, isEstimated),
        );
  return (
    <section class="block" aria-labelledby="chart-title">
      <div class="block-head">
        <h2 id="chart-title">Tokens by {bucket}</h2>
        <p class="readout">
          {pointedColumn !== null && (stack.totals[pointedColumn] ?? 0) > 0 ? (
            <Readout {...props} column={pointedColumn} />
          ) : (
            highest !== undefined && (
              <>
                <span class="hint">{pageSentences.highestColumn}</span>
                <Readout {...props} column={highest} series={[]} />
              </>
            )
          )}
        </p>
      </div>
      <div class="plot" ref={container} role="img" aria-label={text} />
      <details class="numbers">
        <summary>Numbers of the chart</summary>
        <Numbers {...props} />
      </details>
    </section>
  );
}

function Readout(props: ChartProps & { column: number }) {
  const { stack, series, isEstimated, column } = props;
  return (
    <>
      <b>{formatDay(stack.labels[column] ?? "")}</b>{" "}
      {formatTokens(stack.totals[column] ?? 0, isEstimated, true)}
      {series.map((name, index) => {
        const count = stack.tokens[index]?.[column] ?? 0;
        return count === 0 ? null : (
          <span key={name} class="readout-part">
            <Swatch fillClass={pickSeriesClass(index, series)} />
            {formatTokens(count, isEstimated, true)}
          </span>
        );
      })}
    </>
  );
}

function Numbers({ stack, series, bucket, isEstimated }: ChartProps) {
  return (
    <div class="box" tabIndex={0} role="region" aria-label="numbers of the chart">
      <table>
        <thead>
          <tr>
            <th scope="col">{bucket}</th>
            {series.map((name) => (
              <th key={name} scope="col" class="number">
                {escapeUnsafe(name)}
              </th>
            ))}
            <th scope="col" class="number">
              total
            </th>
          </tr>
        </thead>
        <tbody>
          {stack.labels.map((label, column) => (
            <tr key={label}>
              <th scope="row">{formatDay(label)}</th>
              {series.map((name, index) => (
                <td key={name} class="number">
                  {formatTokens(stack.tokens[index]?.[column] ?? 0, isEstimated)}
                </td>
              ))}
              <td class="number">{formatTokens(stack.totals[column] ?? 0, isEstimated)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function usePlot(
  chart: {
    readonly container: { readonly current: HTMLElement | null };
    readonly width: number;
    readonly stack: Stack;
    readonly series: readonly string[];
  },
  onPoint: (index: number | null) => void,
): void {
  const { container, width, stack, series } = chart;
  const plot = useRef<ColumnPlot>(undefined);
  const isDark = useDarkScheme();
  useEffect(() => {
    if (!container.current) return undefined;
    const newPlot = plotColumns(
      container.current,
      series.length,
      readColours(container.current, series),
      onPoint,
    );
    plot.current = newPlot;
    return () => newPlot.destroy();
  }, [series.length, isDark]);
  useEffect(() => plot.current?.show(stack), [stack, series.length, isDark]);
  useEffect(() => {
    if (width > 0) plot.current?.resize(width, height);
  }, [width, series.length, isDark]);
}

function useDarkScheme(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const update = (): void => setDark(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return isDark;
}

function readColours(container: HTMLElement, series: readonly string[]) {
  const style = getComputedStyle(container);
  const readColour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    series: series.map((_, index) => readColour(pickSeriesClass(index, series))),
    text: readColour("ink-2"),
    line: readColour("line"),
  };
}
