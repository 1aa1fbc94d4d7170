import Table from "cli-table3";
import { displayWidth } from "#kit/text/display.ts";
import type { DiffLine } from "#kit/text/text-diff.ts";
import { textIn, type Cell, type Document, type Note, type Row, type Section } from "./document.ts";
import { fitDocument } from "./fit-document.ts";
import { painted } from "./painted.ts";
import { terminalText } from "./terminal-text.ts";

export type TerminalOptions = {
  readonly color: boolean;
  readonly columns?: number | undefined;
};

export function renderTerminal(whole: Document, { color, columns }: TerminalOptions): string {
  const document = fitDocument(whole, columns);
  const sections = document.sections.map((section) => linesIn(section, color));
  const blocks = [[terminalText(document.title)], ...sections.filter(({ length }) => length > 0)];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function linesIn(section: Section, color: boolean): readonly string[] {
  switch (section.kind) {
    case "grid":
      return section.rows.length === 0 ? [] : gridLines(section, color);
    case "notes":
      return noteLines(section.notes);
    case "line":
      return [terminalText(section.text)];
    case "diff":
      return diffLines(section, color);
  }
}

const columnGap = "  ";

/** cli-table3 draws a border for each of these that is not set. */
const noBorders = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
};

function gridLines(
  { columns, rows }: Extract<Section, { kind: "grid" }>,
  color: boolean,
): readonly string[] {
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ isNumber }) => (isNumber === true ? "right" : "left")),
    chars: { ...noBorders, middle: columnGap },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...rows.map((row: Row) => row.map((cell) => cellText(cell, color))));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}

function cellText(cell: Cell, color: boolean): string {
  const text = terminalText(textIn(cell));
  const tone = color && typeof cell === "object" && "tone" in cell ? cell.tone : undefined;
  return painted(text, tone);
}

const diffPaints: { readonly [sign in DiffLine["sign"]]: string } = {
  " ": "",
  "…": "",
  "-": "\u001b[31m",
  "+": "\u001b[32m",
};

function diffLines(
  { title, lines }: Extract<Section, { kind: "diff" }>,
  color: boolean,
): readonly string[] {
  const rows = lines.map(({ sign, parts }) => {
    if (!color) return terminalText(`${sign} ${parts.map(({ text }) => text).join("")}`.trimEnd());
    const paint = diffPaints[sign];
    const words = parts.map((part) => {
      const shown = terminalText(part.text);
      return part.is_changed ? `\u001b[7m${shown}\u001b[27m` : shown;
    });
    const row = `${sign} ${words.join("")}`.trimEnd();
    return paint === "" ? row : `${paint}${row}\u001b[0m`;
  });
  return lines.length === 0 ? [] : [terminalText(title), ...rows];
}

function noteLines(notes: readonly Note[]): readonly string[] {
  const lines = notes.map(({ label, text }) => [terminalText(label), terminalText(text)] as const);
  const labelWidth = Math.max(0, ...lines.map(([label]) => displayWidth(label)));
  return lines.map(([label, text]) => {
    const space = " ".repeat(labelWidth - displayWidth(label));
    return `${label}${space}${columnGap}${text}`.trimEnd();
  });
}
