import type { Risk } from "#tokens/cost/risk.ts";
import type { TokenChange } from "#lock/profile.ts";
import { pluralize, formatCount, formatShare } from "#kit/text/numbers.ts";
import { problemColumnsMax } from "#kit/text/columns.ts";
import type { CheckReport, Problem } from "#check/report.ts";
import type { UsageReport } from "#history/reports/usage-report.ts";
import type { TokenFormat } from "../token-ranges.ts";
import type { Cell, Column, Name, Note, Row, Section, Span, Text, Tone } from "../document.ts";

export const noteDetailColumnsMax = 160;

export const recordedTextColumnsMax = 400;

export const listedRowsMax = 200;

export const summaryRowsMax = 50;

export const noteNameColumnsMax = 60;

export const listedNamesMax = 8;

export function nameServer({ name, version }: CheckReport["server"]): Name {
  return { name: `${name ?? "server"}${version === null ? "" : ` ${version}`}` };
}

export function buildLimitedGrid(
  columns: readonly Column[],
  rows: readonly Row[],
  noun: string,
  rowsMax = listedRowsMax,
): readonly Section[] {
  const grid = { kind: "grid", columns, rows: rows.slice(0, rowsMax) } as const;
  return [grid, ...noteOmitted(rows.length, rowsMax, noun)];
}

export function noteOmitted(total: number, shown: number, noun: string): readonly Section[] {
  if (total <= shown) return [];
  const omitted = pluralize(total - shown, `more ${noun}`);
  return [{ kind: "line", text: `${omitted}; use --format json to list all` }];
}

export function noteMoreRows(more: number, noun = "row"): readonly Section[] {
  if (more === 0) return [];
  const rows = pluralize(more, `more ${noun}`);
  return [{ kind: "line", text: `${rows}; --top N prints the N largest` }];
}

export function noteIf(isShown: boolean, label: string, text: Text): readonly Note[] {
  return isShown ? [{ label, text }] : [];
}

export function makeNoteName(name: string): Name {
  return { name, columnsMax: noteNameColumnsMax };
}

export function labelTool(tool: string, server: string, servers: readonly string[]): string {
  return servers.length > 1 ? `${server} · ${tool}` : tool;
}

export function listNames(names: readonly Name[], namesMax?: number): readonly Span[] {
  return joinFirst(
    names.map((name) => [name]),
    namesMax,
  );
}

export function joinWithCommas(texts: readonly (readonly Span[])[]): readonly Span[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [", ", ...text]));
}

export function joinFirst(
  texts: readonly (readonly Span[])[],
  textsMax = listedNamesMax,
): readonly Span[] {
  const omitted = texts.length - textsMax;
  return [
    ...joinWithCommas(texts.slice(0, textsMax)),
    ...(omitted > 0 ? [` and ${formatCount(omitted)} more`] : []),
  ];
}

const riskTones: { readonly [risk in Risk]: Tone | undefined } = {
  low: undefined,
  medium: "caution",
  high: "bad",
  critical: "worst",
};

export function formatRiskCell(risk: Risk): Cell {
  return { text: risk, tone: riskTones[risk] };
}

export type Group<Item> = readonly [first: Item, ...others: Item[]];

export function groupItems<Item>(
  items: readonly Item[],
  readKey: (item: Item, index: number) => unknown,
): readonly Group<Item>[] {
  return [...Map.groupBy(items, readKey).values()].flatMap(
    ([first, ...others]): readonly Group<Item>[] =>
      first === undefined ? [] : [[first, ...others]],
  );
}

export function makePathName(path: string, home?: string): Name {
  return { name: abbreviateHome(path, home), columnsMax: problemColumnsMax };
}

export function abbreviateHome(path: string, home?: string): string {
  const isBelow = home !== undefined && home !== "" && path.startsWith(`${home}/`);
  return isBelow ? `~${path.slice(home.length)}` : path;
}

export function describeTokenParts(
  { resident_tokens: resident, loaded_tokens: loaded }: DefinitionTokens,
  inCalls: string,
  { count }: TokenFormat,
): string {
  const loadedText = loaded > 0 ? `${count(loaded)} in loaded definitions, ` : "";
  return `${count(resident)} in definitions and instructions, ${loadedText}${inCalls} in calls`;
}

type DefinitionTokens = { readonly resident_tokens: number; readonly loaded_tokens: number };

export function describePagesRead(requests: number, bytes: string): string {
  return `${pluralize(requests, "request")} that fetched pages of MCP Apps or came from such pages (${bytes}); no model reads the answers`;
}

export function describeWindowShare(share: number, windowTokens: number): string {
  return `${formatShare(share)} of a ${formatCount(windowTokens)}-token window`;
}

/** For example `+1,200 (+5.0%)`, or `+1,200` if `before` is 0. */
export function formatTokenChange({ before, after }: Omit<TokenChange, "delta">): string {
  if (after === before) return "0";
  const sign = after > before ? "+" : "-";
  const tokens = Math.abs(after - before);
  const share = before === 0 ? "" : ` (${sign}${formatShare(tokens / before)})`;
  return `${sign}${formatCount(tokens)}${share}`;
}

export function describeProblem({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

// Keeps only the file name of an absolute path, because the folders would reveal details of the machine.
export function makeRelativeUri(file: string): string {
  const segments = file.replaceAll("\\", "/").split("/");
  const isAbsolute = segments[0] === "" || /^[A-Za-z]:$/.test(segments[0] ?? "");
  return (isAbsolute ? segments.slice(-1) : segments)
    .filter((segment) => segment !== ".")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");
}

export function formatPeriod(report: Pick<UsageReport, "first" | "last" | "timezone">): string {
  return `${describeDays(report)}, ${report.timezone}`;
}

export function describeDays({ first, last }: Pick<UsageReport, "first" | "last">): string {
  if (first === null && last === null) return "all days";
  if (first === null) return `all days until ${last}`;
  if (last === null) return `${first} until now`;
  return first === last ? first : `${first} to ${last}`;
}
