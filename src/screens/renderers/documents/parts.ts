import { noteNameColumnsMax } from "#kit/limits.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import { plural, formatCount, formatShare } from "#kit/text/numbers.ts";
import type { Cell, Name, Section, Span, Tone } from "../document.ts";

export const toolsNamedMax = 8;

export function serverTitle(server: {
  readonly name: string | null;
  readonly version: string | null;
}): Name {
  const version = server.version === null ? "" : ` ${server.version}`;
  return { name: `${server.name ?? "server"}${version}` };
}

export function omittedLine(total: number, shown: number, noun: string): readonly Section[] {
  if (total <= shown) return [];
  const omitted = plural(total - shown, `more ${noun}`);
  return [{ kind: "line", text: `${omitted}; use --format json to list all` }];
}

export function noteName(name: string): Name {
  return { name, columnsMax: noteNameColumnsMax };
}

export function toolLabel(tool: string, server: string, servers: readonly string[]): string {
  return servers.length > 1 ? `${server} · ${tool}` : tool;
}

export function toolList(names: readonly string[]): readonly Span[] {
  const shown = names.slice(0, toolsNamedMax);
  const omitted = names.length - shown.length;
  return [
    `${plural(names.length, "tool")}: `,
    ...separated(shown.map((name) => [noteName(name)])),
    ...(omitted > 0 ? [`, and ${omitted} more`] : []),
  ];
}

export function separated(texts: readonly (readonly Span[])[]): readonly Span[] {
  return texts.flatMap((text, at) => (at === 0 ? text : [", ", ...text]));
}

const riskTones: { readonly [risk in Risk]: Tone | undefined } = {
  low: undefined,
  medium: "caution",
  high: "bad",
  critical: "worst",
};

export function riskCell(risk: Risk): Cell {
  const tone = riskTones[risk];
  return tone === undefined ? risk : { text: risk, tone };
}

export type TokenFormat = {
  readonly count: (tokens: number) => string;
  readonly tokens: (tokens: number) => string;
  /** Both where an unknown client may show more than twice as much. */
  readonly range: (tokens: number, most?: number) => string;
};

export function isRange(tokens: number, most = 0): boolean {
  return most > 2 * tokens;
}

export function tokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${plural(tokens, "token")}`,
    range: (tokens, most = 0) =>
      `${mark}${formatCount(tokens)}${isRange(tokens, most) ? `…${formatCount(most)}` : ""}`,
  };
}

export function windowShare(share: number, windowTokens: number): string {
  return `${formatShare(share)} of a ${formatCount(windowTokens)}-token window`;
}
