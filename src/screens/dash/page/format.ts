import {
  countScales,
  formatCompact,
  formatCount,
  formatInteger,
  pluralize,
} from "#kit/text/numbers.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { WorstCaseDetails } from "../view.ts";

/** For round numbers, such as those of an axis. */
export function formatRound(count: number): string {
  const [size, unit] = countScales.find(([step]) => count >= step) ?? [1, ""];
  return `${count / size}${unit}`;
}

// Zero never gets a `~`: a count of zero is always exact.
export function formatTokens(count: number, isEstimated: boolean, isShort = false): string {
  const text = isShort ? formatCompact(count) : formatInteger(count);
  return isEstimated && count !== 0 ? `~${text}` : text;
}

export function formatDifference(count: number): string {
  return count > 0 ? `+${formatInteger(count)}` : formatInteger(count);
}

/** Formats as `Mon 16 Nov` or `Mon 16 Nov, 12:30`; other labels, such as hours, stay as they are. */
export function formatDay(label: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?$/.exec(label) ?? [];
  if (day === undefined) return label;
  const [weekday = "", date, month = ""] = new Date(day).toUTCString().split(/,? /);
  return `${weekday} ${Number(date)} ${month}${time === undefined ? "" : `, ${time}`}`;
}

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;

const decimalSecondsBelowMs = 10_000;

/** Formats as `0.5 s`, `2:30 min` or `1:15 h`, depending on the longest offset. */
export function formatOffset(ms: number, longestMs: number): string {
  if (longestMs < decimalSecondsBelowMs) return `${ms / second} s`;
  const isLong = longestMs >= hour;
  const smallUnits = Math.floor(ms / (isLong ? minute : second));
  const text = `${Math.floor(smallUnits / 60)}:${String(smallUnits % 60).padStart(2, "0")}`;
  return `${text} ${isLong ? "h" : "min"}`;
}

// To a tenth of a pixel, to keep the SVG paths short.
export function formatPixels(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function shortenName(name: string, charactersMax: number): string {
  const characters = Array.from(escapeUnsafe(name));
  if (characters.length <= charactersMax) return characters.join("");
  const end = Math.floor((charactersMax - 1) / 2);
  const beginning = charactersMax - 1 - end;
  return `${characters.slice(0, beginning).join("")}…${characters.slice(characters.length - end).join("")}`;
}

const nameCharactersMax = 512;

/** Splits a long name for CSS, which shortens the start and shows the end in full. */
export function splitName(name: string, charactersMax: number): [start: string, end: string] {
  const characters = Array.from(shortenName(name, nameCharactersMax));
  if (characters.length <= charactersMax) return [characters.join(""), ""];
  const splitIndex = characters.length - Math.floor((charactersMax - 1) / 2);
  return [characters.slice(0, splitIndex).join(""), characters.slice(splitIndex).join("")];
}

// The last two series are always "definitions" and "other".
export function pickSeriesClass(index: number, series: readonly string[]): string {
  if (index < 0 || index >= series.length - 1) return "series-other";
  return index === series.length - 2 ? "series-definitions" : `series-${index}`;
}

export function pickRowClass(
  row: Pick<UsageRow, "server" | "tool">,
  series: readonly string[],
): string {
  const tool = row.tool ?? "";
  if (isDefinitionsRow(row)) return pickSeriesClass(series.length - 2, series);
  const toolSeries = series.slice(0, -2);
  // With several servers, the name of a series begins with the server.
  const qualifiedIndex = toolSeries.indexOf(`${row.server ?? ""} ${tool}`);
  return pickSeriesClass(qualifiedIndex < 0 ? toolSeries.indexOf(tool) : qualifiedIndex, series);
}

export function isDefinitionsRow({ tool }: Pick<UsageRow, "tool">): boolean {
  return tool === "(definitions)";
}

export function describeWorstCase({
  tokens,
  basis,
  items,
  item_tokens: item,
}: WorstCaseDetails): string {
  if (tokens !== null) return `~${formatCompact(tokens)}`;
  const missing = basis === "unbounded" ? "no limit" : "no size";
  if (items === null) return item === null ? missing : `~${formatCompact(item)} per item`;
  return item === null
    ? pluralize(items, "item")
    : `${formatCount(items)} × ~${formatCompact(item)}`;
}

// Makes the note under the text of `describeWorstCase`, such as "declared" under "5 items".
export function formatWorstCaseNote({
  tokens,
  basis,
  item_tokens,
  is_listed: isListed,
}: WorstCaseDetails): string {
  if (tokens === null && item_tokens === null) return "declared";
  if (tokens === null) return basis === "unbounded" ? "no limit declared" : "no size declared";
  return isListed ? "limited by its schema" : "limited by its locked schema";
}
