import type { Measurement } from "../measurement.ts";
import { drawBars } from "./bars.ts";
import { drawLines } from "./lines.ts";
import { drawPercentiles } from "./percentiles.ts";
import type { Plot } from "./plot.ts";

/** What the drawing of a load shows: its own plot, else the first column. */
export function choosePlot(measurement: Measurement): Plot {
  return measurement.plot ?? firstColumn(measurement);
}

/** An SVG document; the same figures give the same bytes. */
export function draw(plot: Plot): string {
  switch (plot.kind) {
    case "bars":
      return drawBars(plot);
    case "lines":
      return drawLines(plot);
    case "percentiles":
      return drawPercentiles(plot);
  }
}

function firstColumn({ load, columns, rows }: Measurement): Plot {
  const [column = ""] = columns;
  return {
    kind: "bars",
    title: `${load}: ${column}`,
    unit: rows[0]?.figures[0]?.unit ?? "",
    bars: rows.map(({ contestant, figures: [figure] }) => ({
      name: contestant,
      value: figure?.value ?? Number.NaN,
    })),
  };
}
