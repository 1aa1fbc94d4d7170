import type { DiffLine } from "#kit/text/difference.ts";
import { stringifySafely } from "#kit/text/unsafe-text.ts";

export type Document = { readonly title: Text; readonly sections: readonly Section[] };

export type Section =
  | Grid
  | { readonly kind: "notes"; readonly notes: readonly Note[] }
  | { readonly kind: "line"; readonly text: Text }
  | Diff;

export type Grid = {
  readonly kind: "grid";
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
};

export type Diff = {
  readonly kind: "diff";
  readonly title: Text;
  readonly lines: readonly DiffLine[];
};

export type Column = {
  readonly head: string;
  readonly isNumber?: boolean;
  /** A narrow terminal drops the column with the lowest rank first. It never drops a column without a rank. */
  readonly dropRank?: number;
  /** A narrow terminal wraps the texts of this column, and does not shorten the names in this column. */
  readonly isWrapped?: boolean;
  readonly columnsMax?: number | undefined;
  /** A narrow terminal does not shorten the names in this column. */
  readonly isFixedWidth?: boolean;
};

export type Row = readonly Cell[];

export type Cell = Text | { readonly text: Text; readonly tone: Tone | undefined };

export type Tone = "good" | "caution" | "bad" | "worst" | "strong";

export type Note = {
  readonly label: Text;
  readonly text: Text;
  /** Printed after the text, one per line and never broken, so that they can be copied. */
  readonly commands?: readonly string[];
};

export type Text = Span | readonly Span[];

// Renderers escape strings as well as names, because a string may quote a server.
export type Span = string | Name;

// Untrusted text from a server, client, file or setting. Renderers clip it to `columnsMax`, or else to `cellWidthMax`.
export type Name = { readonly name: string; readonly columnsMax?: number };

// The names of a server's tools often differ only at their ends. So reports use this width in place of `cellWidthMax`.
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

export function emphasizeRow(row: Row): Row {
  return row.map((cell) => ({ text: readCellText(cell), tone: "strong" }));
}

export function renderJson(data: unknown): string {
  return `${stringifySafely(data, 2)}\n`;
}
