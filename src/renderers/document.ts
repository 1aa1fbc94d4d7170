import { escapeUnsafe } from "#text/unsafe-text.ts";
import { shownName, shownWidth } from "./text.ts";

/** A name from the wire, or text of ours, which may quote one. */
export type Text = string | { readonly name: string };

export type Column = { readonly head: string; readonly isNumber?: boolean };

export type Section =
  | {
      readonly kind: "grid";
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly Text[])[];
    }
  /** Lines of a subject and what is said about it. */
  | { readonly kind: "notes"; readonly notes: readonly (readonly [about: Text, says: Text])[] }
  | { readonly kind: "line"; readonly text: Text };

/** What a command has to say to a person: a title and sections in order. */
export type Document = { readonly title: Text; readonly sections: readonly Section[] };

/** The document for a terminal. Colour only when asked for. Ends with a newline. */
export function documentAsTable(
  document: Document,
  { color }: { readonly color: boolean },
): string {
  const sections = document.sections.filter(isFilled).map((section) => {
    switch (section.kind) {
      case "grid":
        return aligned(
          section.columns,
          section.rows.map((cells) => cells.map(plain)),
          color,
        );
      case "notes": {
        const notes = section.notes.map(([about, says]) => [plain(about), plain(says)] as const);
        const width = Math.max(...notes.map(([about]) => shownWidth(about))) + 2;
        return notes.map(([about, says]) => `${padded(about, width, false)}${says}`);
      }
      case "line":
        return [plain(section.text)];
    }
  });
  return `${[[plain(document.title)], ...sections].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** The document as GitHub-flavoured Markdown; names from the wire are code. Ends with a newline. */
export function documentAsMarkdown(document: Document): string {
  const sections = document.sections.filter(isFilled).map((section) => {
    switch (section.kind) {
      case "grid": {
        const heads = section.columns.map(({ head }) => head);
        const rule = section.columns.map(({ isNumber }) => (isNumber === true ? "---:" : "---"));
        return [row(heads), row(rule), ...section.rows.map((cells) => row(cells.map(marked)))];
      }
      case "notes":
        return section.notes.map(([about, says]) => {
          const subject = typeof about === "string" ? `**${marked(about)}**` : marked(about);
          return `- ${subject}: ${marked(says)}`;
        });
      case "line":
        return [marked(section.text)];
    }
  });
  const title = `### ${marked(document.title)}`;
  return `${[[title], ...sections].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function plain(text: Text): string {
  const safe = typeof text === "string" ? escapeUnsafe(text) : shownName(text.name);
  // A line that begins so is a command to the runner of a CI job.
  return safe.replace(/^\s*::/, "\\u003a:").replaceAll("##[", "\\u0023#[");
}

function marked(text: Text): string {
  return typeof text === "string" ? escapeMarkdown(text) : code(shownName(text.name));
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Text that Markdown and the HTML inside it leave alone, safe on a screen. */
export function escapeMarkdown(text: string): string {
  return escapeUnsafe(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll("@", "&#64;")
    .replaceAll(/[\\`*_{}[\]|~#]/g, (found) => `\\${found}`);
}

/** A name as code that ends where it should, in a table cell too. */
function code(name: string): string {
  return `\`${name.replaceAll("`", "\\u0060").replaceAll("|", "\\u007c")}\``;
}

function isFilled(section: Section): boolean {
  if (section.kind === "grid") return section.rows.length > 0;
  return section.kind === "line" || section.notes.length > 0;
}

function aligned(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  color: boolean,
): string[] {
  const widths = columns.map(({ head }, at) =>
    Math.max(shownWidth(head), ...rows.map((cells) => shownWidth(cells[at] ?? ""))),
  );
  const line = (cells: readonly string[], paint: (cell: string) => string): string =>
    cells
      .map((cell, at) => {
        const space = padded(cell, widths[at] ?? 0, columns[at]?.isNumber === true);
        return space.replace(cell, () => paint(cell));
      })
      .join("  ")
      .trimEnd();
  const heads = columns.map(({ head }) => head);
  return [line(heads, same), ...rows.map((cells) => line(cells, color ? painted : same))];
}

function padded(text: string, width: number, isRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - shownWidth(text)));
  return isRight ? `${space}${text}` : `${text}${space}`;
}

const paints: { readonly [cell: string]: string } = {
  medium: "\u001b[33m",
  high: "\u001b[31m",
  critical: "\u001b[1;31m",
  BREAKING: "\u001b[1;31m",
  RISKY: "\u001b[31m",
  FAIL: "\u001b[1;31m",
  PASS: "\u001b[32m",
};

function painted(cell: string): string {
  const paint = paints[cell];
  return paint === undefined ? cell : `${paint}${cell}\u001b[0m`;
}

function same(cell: string): string {
  return cell;
}
