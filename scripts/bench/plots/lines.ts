import { formatFigure } from "../format.ts";
import type { Point } from "../statistics.ts";
import { drawKey } from "./key.ts";
import { colourName } from "./palette.ts";
import type { Lines } from "./plot.ts";
import { ticks } from "./scale.ts";
import { drawing, element, label, round, tooltip, width } from "./svg.ts";
import { thin } from "./thin.ts";

const left = 76;
const right = 24;
const plotHeight = 280;
const axisHeight = 44;
const pointsMax = 240;
const tickCount = 5;

type Axes = {
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly x: (time: number) => number;
  readonly y: (value: number) => number;
};

/** Values over time from 0 on, both axes linear. */
export function drawLines({ title, unit, time, lines }: Lines): string {
  const drawn = lines.filter(({ points }) => points.length > 0);
  const key = drawKey(drawn.map(({ name }) => name));
  const axes = makeAxes(
    drawn.flatMap(({ points }) => points),
    key.height,
  );
  const texts = drawn.map(({ name, points }) => {
    const highest = Math.max(...points.map(({ y }) => y));
    return `${name} at most ${formatFigure({ value: highest, unit })}`;
  });
  const paths = drawn.map(({ name, points }, at) =>
    element(
      "polyline",
      {
        points: thin(points, pointsMax)
          .map((point) => `${round(axes.x(point.x))},${round(axes.y(point.y))}`)
          .join(" "),
        class: `line stroke-${colourName(name)}`,
      },
      tooltip(texts[at] ?? name),
    ),
  );
  return drawing(title, `${texts.join("; ")}.`, {
    height: key.height + plotHeight + axisHeight,
    markup: [...key.markup, ...drawGrid(axes, unit), ...drawTimes(axes, time), ...paths],
  });
}

function makeAxes(points: readonly Point[], top: number): Axes {
  const times = ticks(Math.max(0, ...points.map(({ x }) => x)), tickCount);
  const values = ticks(Math.max(0, ...points.map(({ y }) => y)), tickCount);
  const [lastTime, highest] = [Math.max(0, ...points.map(({ x }) => x)) || 1, values.at(-1) ?? 1];
  return {
    times: times.filter((one) => one <= lastTime),
    values,
    x: (one) => left + (one / lastTime) * (width - left - right),
    y: (value) => top + plotHeight * (1 - value / highest),
  };
}

function drawGrid({ values, y }: Axes, unit: Lines["unit"]): readonly string[] {
  return values.map((value) => {
    const at = y(value);
    return [
      element("line", { x1: left, x2: width - right, y1: at, y2: at, class: "grid" }),
      label(formatFigure({ value, unit }), { x: left - 8, y: at + 4 }, "end", "note value"),
    ].join("");
  });
}

function drawTimes({ times, x, y }: Axes, name: string): readonly string[] {
  const below = y(0) + 18;
  return [
    ...times.map((time) => label(String(time), { x: x(time), y: below }, "middle", "note")),
    label(name, { x: width - right, y: below + 20 }, "end", "note"),
  ];
}
