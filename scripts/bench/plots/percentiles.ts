import { formatFigure } from "../format.ts";
import type { Unit } from "../unit.ts";
import { colourName } from "./palette.ts";
import type { Percentiles } from "./plot.ts";
import { decades } from "./scale.ts";
import { drawing, element, label, tooltip, width } from "./svg.ts";

const left = 190;
const right = 40;
const rowHeight = 34;
const keyHeight = 30;
const axisHeight = 30;
const keyWidth = 90;
/** From the median outwards: the further out, the smaller; the first is filled. */
const radii = [7, 6, 5, 4];

type Axis = { readonly marks: readonly number[]; readonly x: (value: number) => number };

/** A row a contestant, with a dot for each percentile, on a logarithmic axis. */
export function drawPercentiles(plot: Percentiles): string {
  const { title, unit, percentiles, rows } = plot;
  const axis = makeAxis(rows.flatMap(({ values }) => values));
  const bottom = keyHeight + rows.length * rowHeight;
  const texts = rows.map(({ name, values }) => {
    const figures = values.map(
      (value, at) => `${percentiles[at] ?? ""} ${formatFigure({ value, unit })}`,
    );
    return `${name}: ${figures.join(", ")}`;
  });
  return drawing(title, `${texts.join("; ")}.`, {
    height: bottom + axisHeight,
    markup: [
      ...drawKey(percentiles),
      ...drawAxis(axis, unit, bottom),
      ...rows.map((row, at) => drawRow(plot, row, axis, keyHeight + (at + 0.5) * rowHeight)),
    ],
  });
}

function makeAxis(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const marks = decades(Math.min(1e6, ...positive), Math.max(1, ...positive));
  const [low, high] = [Math.log10(marks[0] ?? 1), Math.log10(marks.at(-1) ?? 10)];
  const room = width - left - right;
  return { marks, x: (value) => left + (room * (Math.log10(value) - low)) / (high - low) };
}

function drawKey(percentiles: readonly string[]): readonly string[] {
  return percentiles.map((name, at) => {
    const x = left + at * keyWidth;
    return dot(at, { cx: x, cy: 2 }, "other") + label(name, { x: x + 13, y: 6.5 });
  });
}

function drawAxis({ marks, x }: Axis, unit: Unit, bottom: number): readonly string[] {
  return marks.map((value) => {
    const at = x(value);
    return [
      element("line", { x1: at, x2: at, y1: keyHeight - 6, y2: bottom, class: "grid" }),
      label(formatFigure({ value, unit }), { x: at, y: bottom + 20 }, "middle", "note value"),
    ].join("");
  });
}

function drawRow(
  { percentiles, unit }: Percentiles,
  { name, values }: Percentiles["rows"][number],
  { x }: Axis,
  y: number,
): string {
  const colour = colourName(name);
  const measured = values.map((value, at) => ({ value, at })).filter(({ value }) => value > 0);
  const places = measured.map(({ value }) => x(value));
  const span = { x1: Math.min(...places), x2: Math.max(...places), y1: y, y2: y };
  return [
    label(name, { x: left - 16, y: y + 4.5 }, "end"),
    ...(measured.length > 1 ? [element("line", { ...span, class: `span stroke-${colour}` })] : []),
    ...measured.toReversed().map(({ value, at }) => {
      const text = `${name}, ${percentiles[at] ?? ""}: ${formatFigure({ value, unit })}`;
      return dot(at, { cx: x(value), cy: y }, colour, tooltip(text));
    }),
  ].join("");
}

function dot(
  at: number,
  place: { readonly cx: number; readonly cy: number },
  colour: string,
  ...children: string[]
): string {
  const filled = at === 0 ? `fill-${colour}` : `hollow stroke-${colour}`;
  return element("circle", { ...place, r: radii[at] ?? 4, class: filled }, ...children);
}
