import type { DiffLine } from "#kit/text/difference.ts";
import { safeJson } from "#kit/text/unsafe-text.ts";

export type Document = { readonly title: Text; readonly sections: readonly Section[] };

export type Section =
  | { readonly kind: "grid"; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly kind: "notes"; readonly notes: readonly Note[] }
  | { readonly kind: "line"; readonly text: Text }
  | { readonly kind: "diff"; readonly title: Text; readonly lines: readonly DiffLine[] };

export type Column = {
  readonly head: string;
  readonly isNumber?: boolean;
  /** On a narrow terminal the lowest rank is left out first; a column without a rank never. */
  readonly dropRank?: number;
  readonly isWhole?: boolean;
};

export type Row = readonly Cell[];

export type Cell = Text | { readonly text: Text; readonly tone: Tone };

export type Tone = "good" | "caution" | "bad" | "worst" | "strong";

export type Note = { readonly label: Text; readonly text: Text };

export type Text = Span | readonly Span[];

/** Prose, or a name. Renderers escape both: prose may quote a server. */
export type Span = string | Name;

/** From a server, client, file or setting. Renderers clip it, by default to a cell's width. */
export type Name = { readonly name: string; readonly columnsMax?: number };

/** An empty name, which a hostile server may give a tool, is written out. */
export function listSpans(text: Text): readonly Span[] {
  const spans = typeof text === "string" || "name" in text ? [text] : text;
  return spans.map((span) => (typeof span !== "string" && span.name === "" ? "(no name)" : span));
}

export function textIn(cell: Cell): Text {
  return typeof cell === "object" && "tone" in cell ? cell.text : cell;
}

export function renderJson(data: unknown): string {
  return `${safeJson(data, 2)}\n`;
}
