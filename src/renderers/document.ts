import type { DiffLine } from "#lock/drift/text-diff.ts";

/** The output of a command as plain data: a title, then sections in order. Empty sections are left out. */
export type Document = { readonly title: Text; readonly sections: readonly Section[] };

export type Section =
  | { readonly kind: "grid"; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly kind: "notes"; readonly notes: readonly Note[] }
  | { readonly kind: "line"; readonly text: Text }
  | { readonly kind: "diff"; readonly title: Text; readonly lines: readonly DiffLine[] };

/** Numbers are aligned to the right. */
export type Column = {
  readonly head: string;
  readonly isNumber?: boolean;
  /** On a terminal that is too narrow, the column with the lowest rank is left out first; one without a rank never. */
  readonly dropRank?: number;
  /** True for names that are sentences or values, which are never shortened. */
  readonly isWhole?: boolean;
};

/** One cell per column. */
export type Row = readonly Cell[];

export type Cell = Text | { readonly text: Text; readonly tone: Tone };

/** Meaning of a cell's colour; a format without colours ignores it. */
export type Tone = "good" | "caution" | "bad" | "worst" | "strong";

/** A label and the text that belongs to it. */
export type Note = { readonly label: Text; readonly text: Text };

/** One span, or several that are read as one text. */
export type Text = Span | readonly Span[];

/** Prose, or the name of something. Renderers escape both: prose may quote a server. */
export type Span = string | Name;

/** A name from a server, client, file or setting. Renderers clip it, by default to the width of a cell. */
export type Name = { readonly name: string; readonly columnsMax?: number };

/** The spans of a text, in order. An empty name, which a hostile server may give a tool, is written out. */
export function spansIn(text: Text): readonly Span[] {
  const spans = typeof text === "string" || "name" in text ? [text] : text;
  return spans.map((span) => (typeof span !== "string" && span.name === "" ? "(no name)" : span));
}

/** The text of a cell, without its tone. */
export function textIn(cell: Cell): Text {
  return typeof cell === "object" && "tone" in cell ? cell.text : cell;
}
