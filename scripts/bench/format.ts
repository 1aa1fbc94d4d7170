import type { Figure } from "./measurement.ts";

/**
 * A number for people: three significant digits below a thousand, grouped whole numbers above.
 * `0.0832 ms`, `1.53 ×`, `148,200 /s`, `-` for what could not be measured.
 */
export function formatFigure(figure: Figure): string {
  if (!Number.isFinite(figure.value)) return "-";
  return `${formatNumber(figure.value)} ${figure.unit}`.trimEnd();
}

function formatNumber(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 1000) {
    return Math.round(value).toLocaleString("en-US");
  }
  return Number(value.toPrecision(3)).toString();
}
