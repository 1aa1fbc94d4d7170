import uPlot from "uplot";
import { formatDay, formatRound } from "./format.ts";
import type { Stack } from "./stack.ts";

type PlotColours = {
  readonly series: readonly string[];
  readonly text: string;
  readonly line: string;
};

export type ColumnPlot = {
  readonly show: (stack: Stack) => void;
  readonly resize: (width: number, height: number) => void;
  readonly destroy: () => void;
};

// Fits a day such as `Wed 25 Nov`.
const labelWidth = 72;

const axisWidth = 52;

const font = '11px system-ui, "DejaVu Sans", sans-serif';

export function plotColumns(
  container: HTMLElement,
  seriesCount: number,
  colours: PlotColours,
  onPoint: (index: number | null) => void,
): ColumnPlot {
  let labels: readonly string[] = [];
  const options = buildOptions(seriesCount, colours, () => labels);
  const size = {
    width: Math.max(1, container.clientWidth),
    height: Math.max(1, container.clientHeight),
  };
  const setCursor = (self: uPlot): void => onPoint(self.cursor.idx ?? null);
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

// Largest sums first, so that each column is drawn over the larger one behind it.
function stackColumns(stack: Stack, height: number): uPlot.AlignedData {
  const sums = liftSmallColumns(stack, height);
  return [stack.labels.map((_, index) => index), ...sums.toReversed()];
}

const columnPixelsMin = 2;

// Keeps a day with few tokens visible.
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
    // Starts at the newest column, whose label matters most.
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
