import type { Measurement } from "./measurement.ts";
import { choosePlot, draw } from "./plots/draw.ts";
import { renderMeasurement } from "./table.ts";

/** The figures of one load as Markdown, and its drawing as SVG, whose path is from the document's folder. */
export type WrittenFigures = {
  readonly markdown: string;
  readonly drawing: { readonly path: string; readonly svg: string };
};

/** `provenance` says when and where they were measured. */
export function writeOut(measurement: Measurement, provenance: string): WrittenFigures {
  const plot = choosePlot(measurement);
  const path = `benchmarks/${measurement.load}.svg`;
  const parts = [`_${provenance}_`, `![${plot.title}](${path})`, renderMeasurement(measurement)];
  return { markdown: parts.join("\n\n"), drawing: { path, svg: draw(plot) } };
}

/** The document with the figures of one load replaced; throws when it has no marked section for it. */
export function replaceFigures(document: string, load: string, figures: string): string {
  const opening = `<!-- figures: ${load} -->`;
  const closing = `<!-- end: ${load} -->`;
  const start = document.indexOf(opening);
  const end = document.indexOf(closing);
  if (start < 0 || end < start) {
    throw new Error(`Cannot write the figures of "${load}": the document has no "${opening}"`);
  }
  const before = document.slice(0, start + opening.length);
  return `${before}\n\n${figures}\n\n${document.slice(end)}`;
}
