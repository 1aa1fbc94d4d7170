import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import uPlot from "uplot";
import { formatDay, formatRound, formatTokens, pickSeriesClass } from "../format.ts";
import { useEffect, useRef, useState } from "../preact.ts";
import { pageSentences } from "../sentences.ts";
import { findHighestColumn, type Stack } from "../stack.ts";
import { Swatch, useWidth } from "./elements.tsx";

const chartHeight = 190;

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
        <summary>Chart data</summary>
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
    <div class="box" tabIndex={0} role="region" aria-label="chart data">
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
  setPointedColumn: (index: number | null) => void,
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
      setPointedColumn,
    );
    plot.current = newPlot;
    return () => newPlot.destroy();
  }, [series.length, isDark]);
  useEffect(() => plot.current?.show(stack), [stack, series.length, isDark]);
  useEffect(() => {
    if (width > 0) plot.current?.resize(width, chartHeight);
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

type PlotColours = {
  readonly series: readonly string[];
  readonly text: string;
  readonly line: string;
};

type ColumnPlot = {
  readonly show: (stack: Stack) => void;
  readonly resize: (width: number, height: number) => void;
  readonly destroy: () => void;
};

// Fits a day such as `Wed 25 Nov`.
const labelWidth = 72;

const axisWidth = 52;

const font = '11px system-ui, "DejaVu Sans", sans-serif';

function plotColumns(
  container: HTMLElement,
  seriesCount: number,
  colours: PlotColours,
  setPointedColumn: (index: number | null) => void,
): ColumnPlot {
  let labels: readonly string[] = [];
  const options = buildOptions(seriesCount, colours, () => labels);
  const size = {
    width: Math.max(1, container.clientWidth),
    height: Math.max(1, container.clientHeight),
  };
  const setCursor = (self: uPlot): void => setPointedColumn(self.cursor.idx ?? null);
  const plot = new uPlot(
    { ...options, ...size, hooks: { setCursor: [setCursor] } },
    [[]],
    container,
  );
  const setColumnWidth = (): void => {
    const width = plot.over.clientWidth / Math.max(1, labels.length);
    container.style.setProperty("--column", `${width}px`);
  };
  let shownStack: Stack | undefined;
  const draw = (): void => {
    if (shownStack) plot.setData(stackColumns(shownStack, plot.over.clientHeight));
    setColumnWidth();
  };
  return {
    show: (stack) => {
      shownStack = stack;
      labels = stack.labels.map(formatDay);
      draw();
    },
    resize: (width, height) => {
      plot.setSize({ width, height });
      draw();
    },
    destroy: () => plot.destroy(),
  };
}

function buildOptions(
  seriesCount: number,
  colours: PlotColours,
  getLabels: () => readonly string[],
): Omit<uPlot.Options, "width" | "height"> {
  return {
    padding: [8, (self) => leaveLabelRoom(self, getLabels().length), 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { show: false },
      move: snapToColumn,
    },
    scales: {
      x: { time: false, range: () => [-0.5, Math.max(0.5, getLabels().length - 0.5)] },
      y: { range: (_self, _min, max) => [0, max > 0 ? max * 1.04 : 1] },
    },
    axes: buildAxes(colours, getLabels),
    series: [{}, ...buildSeries(seriesCount, colours)],
  };
}

// uPlot draws later series over earlier ones, so the largest sums come first.
function stackColumns(stack: Stack, height: number): uPlot.AlignedData {
  const sums = liftSmallColumns(stack, height);
  return [stack.labels.map((_, index) => index), ...sums.toReversed()];
}

const columnPixelsMin = 2;

function liftSmallColumns({ sums, totals }: Stack, height: number): number[][] {
  const visibleMin = (Math.max(0, ...totals) * columnPixelsMin) / Math.max(1, height);
  return sums.map((seriesSums) =>
    seriesSums.map((sum, column) => {
      const total = totals[column] ?? 0;
      return total > 0 && total < visibleMin ? (sum / total) * visibleMin : sum;
    }),
  );
}

// The label of the last column may be wider than the column.
function leaveLabelRoom({ width }: uPlot, columns: number): number {
  const columnWidth = (width - axisWidth) / Math.max(1, columns);
  return Math.max(0, Math.ceil((labelWidth - columnWidth) / 2));
}

function snapToColumn(plot: uPlot, left: number, top: number): [left: number, top: number] {
  if (left < 0) return [left, top];
  return [plot.valToPos(Math.round(plot.posToVal(left, "x")), "x"), top];
}

function buildAxes(colours: PlotColours, getLabels: () => readonly string[]): uPlot.Axis[] {
  const axis = { font, stroke: colours.text, ticks: { show: false } };
  const columns: uPlot.Axis = {
    ...axis,
    size: 26,
    gap: 6,
    space: labelWidth + 12,
    grid: { show: false },
    incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 56, 112],
    // Counts back from the last column, so that the newest hour or day has a label.
    splits: (...[, , , , step]) => {
      const last = getLabels().length - 1;
      const count = Math.floor(last / step) + 1;
      return Array.from(
        { length: Math.max(0, count) },
        (_, index) => last - index * step,
      ).toReversed();
    },
    values: (_self, marks) => marks.map((mark) => getLabels()[mark] ?? ""),
  };
  const tokens: uPlot.Axis = {
    ...axis,
    size: axisWidth,
    gap: 8,
    space: 36,
    grid: { stroke: colours.line, width: 1 },
    values: (_self, marks) => marks.map(formatRound),
  };
  return [columns, tokens];
}

function buildSeries(seriesCount: number, colours: PlotColours): uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.66, 64], radius: 0 });
  return Array.from({ length: seriesCount }, (_, index) => {
    const fill = colours.series[seriesCount - 1 - index] ?? colours.text;
    return { fill, stroke: fill, width: 0, points: { show: false }, ...(paths && { paths }) };
  });
}
