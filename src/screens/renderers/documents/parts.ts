import type { Risk } from "#tokens/cost/risk.ts";
import { pluralize, formatCount, formatShare } from "#kit/text/numbers.ts";
import type { Problem } from "#check/report.ts";
import type { Cell, Name, Note, Section, Span, Text, Tone } from "../document.ts";

export const noteDetailColumnsMax = 160;

export const listedRowsMax = 200;

export const summaryRowsMax = 50;

export const noteNameColumnsMax = 60;

export const toolsNamedMax = 8;

export function nameServer(server: {
  readonly name: string | null;
  readonly version: string | null;
}): Name {
  const version = server.version === null ? "" : ` ${server.version}`;
  return { name: `${server.name ?? "server"}${version}` };
}

export function noteOmitted(total: number, shown: number, noun: string): readonly Section[] {
  if (total <= shown) return [];
  const omitted = pluralize(total - shown, `more ${noun}`);
  return [{ kind: "line", text: `${omitted}; use --format json to list all` }];
}

export function noteIf(isShown: boolean, label: string, text: Text): readonly Note[] {
  return isShown ? [{ label, text }] : [];
}

export function widenName(name: string): Name {
  return { name, columnsMax: noteNameColumnsMax };
}

export function labelTool(tool: string, server: string, servers: readonly string[]): string {
  return servers.length > 1 ? `${server} · ${tool}` : tool;
}

export function listTools(names: readonly string[]): readonly Span[] {
  return [`${pluralize(names.length, "tool")}: `, ...listNames(names.map(widenName))];
}

export function listNames(names: readonly Name[]): readonly Span[] {
  const shown = names.slice(0, toolsNamedMax);
  const omitted = names.length - shown.length;
  return [
    ...joinWithCommas(shown.map((name) => [name])),
    ...(omitted > 0 ? [`, and ${omitted} more`] : []),
  ];
}

export function joinWithCommas(texts: readonly (readonly Span[])[]): readonly Span[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [", ", ...text]));
}

export function joinFirst(
  texts: readonly (readonly Span[])[],
  textsMax = toolsNamedMax,
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
  const tone = riskTones[risk];
  return tone === undefined ? risk : { text: risk, tone };
}

/** Writes the home folder as `~`, like a shell. */
export function abbreviateHome(path: string, home: string | undefined): string {
  const isBelow = home !== undefined && home !== "" && path.startsWith(`${home}/`);
  return isBelow ? `~${path.slice(home.length)}` : path;
}

export function describePagesRead(requests: number, bytes: string): string {
  return `${pluralize(requests, "request")} for the server's pages, ${bytes}; no model reads them`;
}

export function describeWindowShare(share: number, windowTokens: number): string {
  return `${formatShare(share)} of a ${formatCount(windowTokens)}-token window`;
}

export function describeProblem({ about, text }: Problem): string {
  return about === null ? text : `${about}: ${text}`;
}

// Folders of an absolute path would reveal details of the machine.
export function makeRelativeUri(file: string): string {
  const segments = file.replaceAll("\\", "/").split("/");
  const isAbsolute = segments[0] === "" || /^[A-Za-z]:$/.test(segments[0] ?? "");
  return (isAbsolute ? segments.slice(-1) : segments)
    .filter((segment) => segment !== ".")
    .map((segment) => encodeURIComponent(segment.toWellFormed()))
    .join("/");
}
