import { formatFigure } from "./format.ts";
import type { Comparison, Measurement, Verdict } from "./measurement.ts";
import { isMissed } from "./verdict.ts";

/** One measurement as Markdown that is readable as plain text too: caption, figures, comparison, verdicts. */
export function renderMeasurement(measurement: Measurement): string {
  const figures = measurement.rows.map((row) => [
    row.contestant,
    ...row.figures.map((figure) => formatFigure(figure)),
  ]);
  const sections = [
    measurement.caption,
    renderTable([["", ...measurement.columns], ...figures]),
    renderTable([
      ["", "older", "newer", "ratio"],
      ...(measurement.comparisons ?? []).map(comparisonCells),
    ]),
    renderTable([["goal", "measured", "verdict"], ...measurement.verdicts.map(verdictCells)]),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

/** A Markdown table padded to even columns; the first row is the heading; `""` without further rows. */
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
  return [
    what,
    formatFigure(older),
    formatFigure(newer),
    formatFigure({ value: ratio, unit: "×" }),
  ];
}

/** The cells of a verdict: goal, measured, pass or miss; a miss of a wish is not emphasized. */
export function verdictCells(verdict: Verdict): string[] {
  const miss = isMissed(verdict) ? "**miss**" : "miss";
  return [verdict.goal, verdict.measured, verdict.passed ? "pass" : miss];
}
