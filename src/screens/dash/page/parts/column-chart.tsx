import { plotColumns, type ColumnPlot } from "../plot.ts";
import { safe, tokenText, seriesLook } from "../format.ts";
import { useEffect, useRef, useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { highestColumn, type Stack } from "../stack.ts";
import { Swatch, useWidth } from "./text.tsx";

const height = 190;

type ChartProps = {
  readonly stack: Stack;
  readonly series: readonly string[];
  readonly bucket: "hour" | "day";
  readonly isEstimate: boolean;
};

export function ColumnChart(props: ChartProps) {
  const { stack, series, bucket, isEstimate } = props;
  const [pointed, setPointed] = useState<number | null>(null);
  const [place, width] = useWidth();
  usePlot({ place, width, stack, series }, setPointed);
  const highest = highestColumn(stack);
  const text =
    highest === undefined
      ? pageSentences.emptyChart
      : pageSentences.chart(
          bucket,
          stack.labels[highest] ?? "",
          tokenText(stack.totals[highest] ?? 0, isEstimate),
        );
  return (
    <section class="block" aria-labelledby="chart-title">
      <div class="block-head">
        <h2 id="chart-title">Tokens by {bucket}</h2>
        <p class="readout">
          {pointed === null || (stack.totals[pointed] ?? 0) === 0 ? (
            <span class="hint">{pageSentences.chartHint}</span>
          ) : (
            <Readout {...props} column={pointed} />
          )}
        </p>
      </div>
      <div class="plot" ref={place} role="img" aria-label={text} />
      <details class="numbers">
        <summary>Numbers of the chart</summary>
        <Numbers {...props} />
      </details>
    </section>
  );
}

function Readout(props: ChartProps & { column: number }) {
  const { stack, series, isEstimate, column } = props;
  return (
    <>
      <b>{stack.labels[column]}</b> {tokenText(stack.totals[column] ?? 0, isEstimate, true)}
      {series.map((name, at) => {
        const count = stack.tokens[at]?.[column] ?? 0;
        return count === 0 ? null : (
          <span key={name} class="readout-part">
            <Swatch look={seriesLook(at, series)} />
            {tokenText(count, isEstimate, true)}
          </span>
        );
      })}
    </>
  );
}

function Numbers({ stack, series, bucket, isEstimate }: ChartProps) {
  return (
    <div class="box" tabIndex={0} role="region" aria-label="numbers of the chart">
      <table>
        <thead>
          <tr>
            <th scope="col">{bucket}</th>
            {series.map((name) => (
              <th key={name} scope="col" class="number">
                {safe(name)}
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
              <th scope="row">{label}</th>
              {series.map((name, at) => (
                <td key={name} class="number">
                  {tokenText(stack.tokens[at]?.[column] ?? 0, isEstimate)}
                </td>
              ))}
              <td class="number">{tokenText(stack.totals[column] ?? 0, isEstimate)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function usePlot(
  chart: {
    readonly place: { readonly current: HTMLElement | null };
    readonly width: number;
    readonly stack: Stack;
    readonly series: readonly string[];
  },
  pointed: (index: number | null) => void,
): void {
  const { place, width, stack, series } = chart;
  const plot = useRef<ColumnPlot>(undefined);
  const isDark = useScheme();
  useEffect(() => {
    if (!place.current) return undefined;
    const made = plotColumns(
      place.current,
      series.length,
      coloursOf(place.current, series),
      pointed,
    );
    plot.current = made;
    return () => made.destroy();
  }, [series.length, isDark]);
  useEffect(() => plot.current?.show(stack), [stack, series.length, isDark]);
  useEffect(() => {
    if (width > 0) plot.current?.resize(width, height);
  }, [width, series.length, isDark]);
}

function useScheme(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const take = (): void => setDark(query.matches);
    query.addEventListener("change", take);
    return () => query.removeEventListener("change", take);
  }, []);
  return isDark;
}

function coloursOf(place: HTMLElement, series: readonly string[]) {
  const style = getComputedStyle(place);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    series: series.map((_, at) => colour(seriesLook(at, series))),
    text: colour("ink-2"),
    line: colour("line"),
  };
}
