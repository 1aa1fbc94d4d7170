import { colourName } from "./palette.ts";
import { element, label, width } from "./svg.ts";

const left = 24;
const rowHeight = 22;
const entryWidth = 188;
const markWidth = 18;

/** Which colour stands for whom, above a drawing, as many a row as there is room for. */
export function drawKey(names: readonly string[]): {
  readonly height: number;
  readonly markup: readonly string[];
} {
  const perRow = Math.floor((width - 2 * left) / entryWidth);
  const markup = names.map((name, at) => {
    const x = left + (at % perRow) * entryWidth;
    const y = Math.floor(at / perRow) * rowHeight;
    const mark = { x, y, width: markWidth, height: 4, rx: 2, class: `fill-${colourName(name)}` };
    return element("rect", mark) + label(name, { x: x + markWidth + 8, y: y + 6 });
  });
  return { height: Math.ceil(names.length / perRow) * rowHeight + 8, markup };
}
