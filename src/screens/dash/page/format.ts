import { formatCount, formatShare, plural } from "#kit/text/numbers.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { UsageRow } from "#history/reports/usage-report.ts";
import type { ToolView } from "../view.ts";

const steps = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

export function compact(count: number): string {
  if (Math.abs(count) < 10_000) return signed(count);
  const [size, unit] = steps.find(([step]) => Math.abs(count) >= step * 0.9995) ?? [1, ""];
  const scaled = count / size;
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(scaled) + 1e-9)));
  return `${Number(scaled.toFixed(digits))}${unit}`;
}

/** Estimates get a `~`; nothing is ever about 0. */
export function tokenText(count: number, isEstimated: boolean, isShort = false): string {
  const text = isShort ? compact(count) : signed(count);
  return isEstimated && count !== 0 ? `~${text}` : text;
}

export function signed(count: number): string {
  return count < 0 ? `−${formatCount(-count)}` : formatCount(count);
}

export function shareText(share: number): string {
  if (share > 0 && share < 0.0005) return "<0.1%";
  return formatShare(share);
}

export function changeText(change: number): string {
  const text = formatShare(Math.abs(change));
  if (text === "0.0%") return "±0%";
  return `${change < 0 ? "−" : "+"}${text}`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export function durationText(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`;
  if (ms < second) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${Number((ms / second).toFixed(ms < 10 * second ? 1 : 0))} s`;
  if (ms < hour) return twoUnits(ms, [minute, "min"], [second, "s"]);
  return ms < day
    ? twoUnits(ms, [hour, "h"], [minute, "min"])
    : twoUnits(ms, [day, "d"], [hour, "h"]);
}

type TimeUnit = readonly [ms: number, name: string];

function twoUnits(ms: number, [large, largeName]: TimeUnit, [small, smallName]: TimeUnit): string {
  const whole = Math.floor(ms / large);
  const rest = Math.floor((ms % large) / small);
  return rest === 0 ? `${whole} ${largeName}` : `${whole} ${largeName} ${rest} ${smallName}`;
}

export function localDay(ts: string, timeZone: string): string {
  try {
    // Swedish days are those of ISO 8601.
    return new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(new Date(ts));
  } catch {
    // A browser may be older than the time zone.
    return ts.slice(0, "2026-11-22".length);
  }
}

export function safe(name: string): string {
  return escapeUnsafe(name);
}

export function shortName(name: string, charactersMax: number): string {
  const characters = Array.from(safe(name));
  if (characters.length <= charactersMax) return characters.join("");
  const end = Math.floor((charactersMax - 1) / 2);
  const beginning = charactersMax - 1 - end;
  return `${characters.slice(0, beginning).join("")}…${characters.slice(characters.length - end).join("")}`;
}

const nameCharacters = 512;

/** The second part always has room in `charactersMax`; empty for a short name. */
export function cutName(name: string, charactersMax: number): [start: string, end: string] {
  const characters = Array.from(shortName(name, nameCharacters));
  if (characters.length <= charactersMax) return [characters.join(""), ""];
  const at = characters.length - Math.floor((charactersMax - 1) / 2);
  return [characters.slice(0, at).join(""), characters.slice(at).join("")];
}

export function seriesLook(at: number, series: readonly string[]): string {
  if (at < 0 || at >= series.length - 1) return "series-other";
  return at === series.length - 2 ? "series-definitions" : `series-${at}`;
}

export function rowLook(row: Pick<UsageRow, "server" | "tool">, series: readonly string[]): string {
  const tool = row.tool ?? "";
  if (isDefinitions(row)) return seriesLook(series.length - 2, series);
  const own = series.slice(0, -2);
  const named = own.indexOf(`${row.server ?? ""} ${tool}`);
  return seriesLook(named < 0 ? own.indexOf(tool) : named, series);
}

export function isDefinitions({ tool }: Pick<UsageRow, "tool">): boolean {
  return tool === "(definitions)";
}

type Worst = NonNullable<ToolView["head"]["worst_case"]>;

export function worstCaseText({ tokens, basis, items, item_tokens: item }: Worst): string {
  if (tokens !== null) return `~${compact(tokens)}`;
  const missing = basis === "unbounded" ? "no limit" : "no size";
  if (items === null) return item === null ? missing : `~${compact(item)} an item`;
  return item === null ? plural(items, "item") : `${formatCount(items)} × ~${compact(item)}`;
}

export function worstCaseNote({ tokens, basis, item_tokens, is_listed: isListed }: Worst): string {
  if (tokens === null && item_tokens === null) return "declared";
  if (tokens === null) return basis === "unbounded" ? "no limit declared" : "no size declared";
  return isListed ? "by its schema" : "by its locked schema";
}
