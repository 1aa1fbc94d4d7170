import stringWidth from "string-width";
import type { Document, Section } from "#screens/renderers/document.ts";

/** Reads a document's Markdown back and lays it out as a terminal shows it, without any code of the renderers. */
export function terminalFromMarkdown(markdown: string, { sections }: Document): string {
  const lines = new Lines(markdown);
  const title = lines.next(/^### (.*)$/);
  const blocks = [[guarded(decoded(title))]];
  for (const section of sections.filter(isFilled)) {
    lines.next(/^()$/);
    blocks.push(block(section, lines));
  }
  lines.next(/^()$/);
  lines.end();
  return `${blocks.map((blockLines) => blockLines.join("\n")).join("\n\n")}\n`;
}

class Lines {
  readonly #lines: string[];

  constructor(text: string) {
    this.#lines = text.split("\n");
  }

  next(form: RegExp): string {
    const line = this.#lines.shift();
    const held = form.exec(line ?? "")?.[1];
    if (line === undefined || held === undefined) {
      throw new Error(`${JSON.stringify(line)} is not ${String(form)}`);
    }
    return held;
  }

  end(): void {
    if (this.#lines.length > 0) throw new Error(`lines are left: ${this.#lines.join("\n")}`);
  }
}

function isFilled(section: Section): boolean {
  switch (section.kind) {
    case "line":
      return true;
    case "grid":
      return section.rows.length > 0;
    case "notes":
      return section.notes.length > 0;
    case "diff":
      return section.lines.length > 0;
  }
}

function block(section: Section, lines: Lines): string[] {
  switch (section.kind) {
    case "line":
      return [guarded(decoded(lines.next(/^(.*)$/)))];
    case "diff":
      return [guarded(decoded(lines.next(/^(.*)$/))), ...diffRows(section.lines.length, lines)];
    case "notes": {
      const notes = section.notes.map(() => {
        const [label = "", text = ""] = noteParts(lines.next(/^- \*\*(.*)$/));
        return [label, text].map((part) => guarded(decoded(part)));
      });
      return aligned(notes, []);
    }
    case "grid": {
      const count = section.columns.length;
      const head = cellsIn(lines.next(/^\|(.*)\|$/), count);
      const rights = cellsIn(lines.next(/^\|([ |:-]*)\|$/), count).map((rule) =>
        rule.endsWith(":"),
      );
      const rows = section.rows.map(() => cellsIn(lines.next(/^\|(.*)\|$/), count));
      return aligned([head, ...rows], rights);
    }
  }
}

function diffRows(count: number, lines: Lines): string[] {
  for (const form of [/^()$/, /^<details><summary>(Diff)<\/summary>$/, /^()$/]) lines.next(form);
  const fence = lines.next(/^(`{3,})diff$/);
  const rows = Array.from({ length: count }, () => lines.next(/^(.*)$/));
  if (rows.some((row) => row.includes(fence))) throw new Error("a row ends the fence");
  if (lines.next(/^(`+)$/) !== fence) throw new Error("the fence is not closed");
  for (const form of [/^()$/, /^(<\/details>)$/]) lines.next(form);
  return rows.map(guarded);
}

function noteParts(line: string): string[] {
  const found = /^((?:\\.|`[^`]*`|[^\\`*])*)\*\*: (.*)$/.exec(line);
  if (!found) throw new Error(`${line} is not a note`);
  return found.slice(1);
}

function cellsIn(row: string, count: number): string[] {
  const cells = row.match(/(?:\\.|[^\\|])+/g) ?? [];
  if (cells.length !== count) throw new Error(`${row} has ${cells.length} cells, not ${count}`);
  return cells.map((cell) => guarded(decoded(cell.slice(1, -1))));
}

function decoded(markdown: string): string {
  return markdown.replaceAll(
    /\\([\\`*_[\]|~])|`([^`]*)`|&lt;|&amp;|&#8203;/g,
    (found: string, escaped: string | undefined, code: string | undefined) => {
      if (escaped !== undefined) return escaped;
      if (code !== undefined) return code.replaceAll("\\u0060", "`").replaceAll("\\u007c", "|");
      return { "&lt;": "<", "&amp;": "&" }[found] ?? "";
    },
  );
}

function guarded(text: string): string {
  return text.replace(/^(\s*)::/, "$1\\u003a:").replaceAll("##[", "\\u0023#[");
}

function aligned(rows: readonly (readonly string[])[], rights: readonly boolean[]): string[] {
  const columns = rows[0]?.map((_, at) => rows.map((row) => stringWidth(row[at] ?? ""))) ?? [];
  const widths = columns.map((column) => Math.max(...column));
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const space = " ".repeat((widths[at] ?? 0) - stringWidth(cell));
        return rights[at] === true ? `${space}${cell}` : `${cell}${space}`;
      })
      .join("  ")
      .trimEnd(),
  );
}
