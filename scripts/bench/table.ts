import { type Comparison, formatFigure, type Measurement, type Verdict } from "./figures.ts";

export function renderMeasurement(measurement: Measurement): string {
  const { caption, columns, rows, comparisons = [], verdicts } = measurement;
  const figures = rows.map((row) => [row.contestant, ...row.figures.map(formatFigure)]);
  return [
    caption,
    renderTable([["", ...columns], ...figures]),
    renderTable([["", "older", "newer", "ratio"], ...comparisons.map(comparisonCells)]),
    renderVerdicts(verdicts),
  ]
    .filter((section) => section !== "")
    .join("\n\n");
}

export function renderTable(rows: readonly (readonly string[])[]): string {
  const [heading, ...body] = rows;
  if (heading === undefined || body.length === 0) return "";
  const widths = heading.map((_, column) =>
    Math.max(3, ...rows.map((row) => cellAt(row, column).length)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [heading, rule, ...body].map((row) => renderRow(row, widths)).join("\n");
}

function renderRow(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => cellAt(row, column).padEnd(width));
  return `| ${cells.join(" | ")} |`;
}

function cellAt(row: readonly string[], column: number): string {
  return (row[column] ?? "").replaceAll("|", String.raw`\|`);
}

function comparisonCells({ what, older, newer, ratio }: Comparison): string[] {
  const figures = [older, newer, { value: ratio, unit: "×" } as const];
  return [what, ...figures.map(formatFigure)];
}

function renderVerdicts(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return "";
  const missed = verdicts.filter(({ passed }) => !passed).map(describeMiss);
  const met = `Goals met: ${verdicts.length - missed.length} of ${verdicts.length}.`;
  return missed.length === 0 ? met : `${met} **Missed**: ${missed.join("; ")}.`;
}

function describeMiss({ goal, measured }: Verdict): string {
  return `${goal} (${measured})`;
}

export function replaceFigures(document: string, load: string, figures: string): string {
  const opening = `<!-- figures: ${load} -->`;
  const start = document.indexOf(opening);
  const end = document.indexOf(`<!-- end: ${load} -->`);
  if (start < 0 || end < start) {
    throw new Error(`Cannot write the figures of "${load}": the document has no "${opening}"`);
  }
  const before = document.slice(0, start + opening.length);
  return `${before}\n\n${figures}\n\n${document.slice(end)}`;
}
