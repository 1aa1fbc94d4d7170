import type { DiffLine } from "#kit/text/difference.ts";
import { stringifySafely } from "#kit/text/unsafe-text.ts";

export type Document = { readonly title: Text; readonly sections: readonly Section[] };

export type Section =
  | { readonly kind: "grid"; readonly columns: readonly Column[]; readonly rows: readonly Row[] }
  | { readonly kind: "notes"; readonly notes: readonly Note[] }
  | { readonly kind: "line"; readonly text: Text }
  | { readonly kind: "diff"; readonly title: Text; readonly lines: readonly DiffLine[] };

export type Column = {
  readonly head: string;
  readonly isNumber?: boolean;
  /** A narrow terminal drops the lowest rank first, and never a column without a rank. */
  readonly dropRank?: number;
  /** In a narrow terminal, breaks texts into lines instead of shortening names. */
  readonly isWrapped?: boolean;
  readonly columnsMax?: number | undefined;
  readonly isFixedWidth?: boolean;
};

export type Row = readonly Cell[];

export type Cell = Text | { readonly text: Text; readonly tone: Tone };

export type Tone = "good" | "caution" | "bad" | "worst" | "strong";

export type Note = {
  readonly label: Text;
  readonly text: Text;
  /** Each is a line after the text, never broken, so that it can be copied. */
  readonly commands?: readonly string[];
};

export type Text = Span | readonly Span[];

// Renderers escape prose too: it may quote a server.
export type Span = string | Name;

// Untrusted text from a server, client, file or setting. Renderers clip it, by default to the width of a cell.
export type Name = { readonly name: string; readonly columnsMax?: number };

// Reports print names up to this width, because tools of one server often differ only at their ends.
export const reportNameColumnsMax = 256;

export function makeReportName(name: string): Name {
  return { name, columnsMax: reportNameColumnsMax };
}

// A hostile server may give a tool an empty name.
export function listSpans(text: Text): readonly Span[] {
  const spans = typeof text === "string" || "name" in text ? [text] : text;
  return spans.map((span) => (typeof span !== "string" && span.name === "" ? "(no name)" : span));
}

export function joinSpans(text: Text): string {
  return listSpans(text)
    .map((span) => (typeof span === "string" ? span : span.name))
    .join("");
}

export function readCellText(cell: Cell): Text {
  return typeof cell === "object" && "tone" in cell ? cell.text : cell;
}

export function renderJson(data: unknown): string {
  return `${stringifySafely(data, 2)}\n`;
}
