import uPlot from "uplot";
import { compact } from "./format.ts";
import type { Stack } from "./stack.ts";

/** Colours of a chart, which CSS decides. */
export type PlotColours = {
  readonly series: readonly string[];
  readonly text: string;
  readonly line: string;
};

/** A chart of stacked columns on a canvas. */
export type ColumnPlot = {
  readonly show: (stack: Stack) => void;
  readonly resize: (width: number, height: number) => void;
  readonly destroy: () => void;
};

const font = '11px system-ui, "DejaVu Sans", sans-serif';

/** Draws stacked columns into `place`; `pointed` gets the index of the column under the pointer, or null. */
export function plotColumns(
  place: HTMLElement,
  series: number,
  colours: PlotColours,
  pointed: (index: number | null) => void,
): ColumnPlot {
  let labels: readonly string[] = [];
  let count = 0;
  const axis = { font, stroke: colours.text, ticks: { show: false } };
  const plot = new uPlot(
    {
      width: Math.max(1, place.clientWidth),
      height: Math.max(1, place.clientHeight),
      padding: [8, 0, 0, 0],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
      hooks: { setCursor: [(self) => pointed(self.cursor.idx ?? null)] },
      scales: {
        x: { time: false, range: () => [-0.5, Math.max(0.5, count - 0.5)] },
        y: { range: (_self, _least, most) => [0, most > 0 ? most * 1.04 : 1] },
      },
      axes: [
        {
          ...axis,
          size: 26,
          gap: 6,
          space: 64,
          grid: { show: false },
          incrs: [1, 2, 3, 4, 6, 7, 12, 14, 24, 28, 56, 112],
          values: (_self, marks) => marks.map((mark) => labels[mark] ?? ""),
        },
        {
          ...axis,
          size: 52,
          gap: 8,
          space: 36,
          grid: { stroke: colours.line, width: 1 },
          values: (_self, marks) => marks.map((mark) => compact(mark)),
        },
      ],
      series: [{}, ...columnSeries(series, colours)],
    },
    [[]],
    place,
  );
  return {
    show: (stack) => {
      labels = stack.labels.map(shortLabel);
      count = stack.labels.length;
      // The highest sums come first, so that each column is drawn over the one that contains it.
      plot.setData([stack.labels.map((_, at) => at), ...stack.sums.toReversed().map(copied)]);
    },
    resize: (width, height) => plot.setSize({ width, height }),
    destroy: () => plot.destroy(),
  };
}

function columnSeries(series: number, colours: PlotColours): uPlot.Series[] {
  const paths = uPlot.paths.bars?.({ size: [0.72, 44], radius: 0 });
  return Array.from({ length: series }, (_, at) => {
    const fill = colours.series[series - 1 - at] ?? colours.text;
    return { fill, stroke: fill, width: 0, points: { show: false }, ...(paths && { paths }) };
  });
}

/** A day without its year. */
function shortLabel(label: string): string {
  return label.replace(/^\d{4}-(?=\d\d-\d\d$)/, "");
}

function copied(numbers: readonly number[]): number[] {
  return [...numbers];
}
