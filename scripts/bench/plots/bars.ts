import { formatFigure } from "../format.ts";
import { colourName } from "./palette.ts";
import type { Bars } from "./plot.ts";
import { drawing, element, label, width } from "./svg.ts";

const rowHeight = 30;
const barHeight = 18;
const left = 190;
const valueWidth = 110;

/** A row a bar, its value behind it; what could not be measured has no bar. */
export function drawBars({ title, unit, bars }: Bars): string {
  const measured = bars.filter(({ value }) => Number.isFinite(value));
  const highest = Math.max(0, ...measured.map(({ value }) => value));
  const room = width - left - valueWidth;
  const texts = measured.map(({ name, value }) => `${name} ${formatFigure({ value, unit })}`);
  const rows = measured.map(({ name, value }, at) => {
    const middle = at * rowHeight + rowHeight / 2;
    const length = highest === 0 ? 0 : (room * Math.max(0, value)) / highest;
    const bar = {
      x: left,
      y: middle - barHeight / 2,
      width: length,
      height: barHeight,
      rx: 2,
      class: `fill-${colourName(name)}`,
    };
    return [
      label(name, { x: left - 12, y: middle + 4.5 }, "end"),
      element("rect", bar),
      label(
        formatFigure({ value, unit }),
        { x: left + length + 8, y: middle + 4.5 },
        "start",
        "value",
      ),
    ].join("");
  });
  return drawing(title, `${texts.join("; ")}.`, {
    height: measured.length * rowHeight,
    markup: rows,
  });
}
