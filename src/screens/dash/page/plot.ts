import uPlot from "uplot";
import { compact } from "./format.ts";
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

const font = '11px system-ui, "DejaVu Sans", sans-serif';

export function plotColumns(
  place: HTMLElement,
  series: number,
  colours: PlotColours,
  pointed: (index: number | null) => void,
): ColumnPlot {
  let labels: readonly string[] = [];
  const options = columnOptions(series, colours, () => labels);
  const size = { width: Math.max(1, place.clientWidth), height: Math.max(1, place.clientHeight) };
  const setCursor = (self: uPlot): void => pointed(self.cursor.idx ?? null);
  const plot = new uPlot({ ...options, ...size, hooks: { setCursor: [setCursor] } }, [[]], place);
  const measure = (): void => {
    const width = plot.over.clientWidth / Math.max(1, labels.length);
    place.style.setProperty("--column", `${width}px`);
  };
  return {
    show: (stack) => {
      labels = stack.labels.map(shortLabel);
      // The highest sums come first, so that each column is drawn over the one that contains it.
      plot.setData([stack.labels.map((_, at) => at), ...stack.sums.toReversed().map(copied)]);
      measure();
    },
    resize: (width, height) => {
      plot.setSize({ width, height });
      measure();
    },
    destroy: () => plot.destroy(),
  };
}

function columnOptions(
  series: number,
  colours: PlotColours,
  labels: () => readonly string[],
): Omit<uPlot.Options, "width" | "height"> {
  return {
    padding: [8, 0, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: { show: false },
      move: toColumn,
    },
    scales: {
      x: { time: false, range: () => [-0.5, Math.max(0.5, labels().length - 0.5)] },
      y: { range: (_self, _least, most) => [0, most > 0 ? most * 1.04 : 1] },
    },
    axes: columnAxes(colours, labels),
    series: [{}, ...columnSeries(series, colours)],
  };
}

function toColumn(plot: uPlot, left: number, top: number): [left: number, top: number] {
  if (left < 0) return [left, top];
  return [plot.valToPos(Math.round(plot.posToVal(left, "x")), "x"), top];
}

function columnAxes(colours: PlotColours, labels: () => readonly string[]): uPlot.Axis[] {
  const axis = { font, stroke: colours.text, ticks: { show: false } };
  const columns: uPlot.Axis = {
    ...axis,
    size: 26,
    gap: 6,
    space: 64,
    grid: { show: false },
    incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 56, 112],
    values: (_self, marks) => marks.map((mark) => labels()[mark] ?? ""),
  };
  const tokens: uPlot.Axis = {
    ...axis,
    size: 52,
    gap: 8,
    space: 36,
    grid: { stroke: colours.line, width: 1 },
    values: (_self, marks) => marks.map((mark) => compact(mark)),
  };
  return [columns, tokens];
}

function columnSeries(series: number, colours: PlotColours): uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.66, 64], radius: 0 });
  return Array.from({ length: series }, (_, at) => {
    const fill = colours.series[series - 1 - at] ?? colours.text;
    return { fill, stroke: fill, width: 0, points: { show: false }, ...(paths && { paths }) };
  });
}

function shortLabel(label: string): string {
  return label.replace(/^\d{4}-(?=\d\d-\d\d$)/, "");
}

function copied(numbers: readonly number[]): number[] {
  return [...numbers];
}
