import { addUp } from "#kit/text/numbers.ts";
import { wrapAnsi } from "bun";
import Table from "cli-table3";
import { displayWidth, cellWidthMax, takeLongestPrefix, clip } from "#kit/text/columns.ts";
import { escapeUnsafeExceptTabs, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { DiffLine } from "#kit/text/difference.ts";
import {
  readCellText,
  type Cell,
  type Diff,
  type Document,
  type Grid,
  type Note,
  type Section,
  type Name,
  listSpans,
  type Text,
  type Tone,
  reportNameColumnsMax,
} from "./document.ts";

export type TerminalOptions = {
  readonly color: boolean;
  readonly columns?: number | undefined;
};

export function renderTerminal(
  fullDocument: Document,
  { color, columns }: TerminalOptions,
): string {
  const document = fitDocument(fullDocument, columns);
  const sections = document.sections.map((section) => renderSection(section, color, columns));
  const blocks = [
    wrapWords(escapeForTerminal(document.title, columns), columns),
    ...sections.filter(({ length }) => length > 0),
  ];
  return `${blocks.map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

function renderSection(
  section: Section,
  color: boolean,
  columns: number | undefined,
): readonly string[] {
  switch (section.kind) {
    case "grid":
      return section.rows.length === 0 ? [] : renderGrid(section, color);
    case "notes":
      return renderNotes(section.notes, columns);
    case "line":
      return wrapWords(escapeForTerminal(section.text, columns), columns);
    case "diff":
      return renderDiff(section, color, columns);
  }
}

const columnGap = "  ";

// cli-table3 draws its default border for each name that is missing here.
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

function renderGrid({ columns, rows }: Grid, color: boolean): readonly string[] {
  const table = new Table({
    head: columns.map(({ head }) => head),
    colAligns: columns.map(({ isNumber }) => (isNumber === true ? "right" : "left")),
    chars: { ...noBorders, middle: columnGap },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(
    ...rows.map((row) =>
      row.map((cell, index) => renderCell(cell, color, columns[index]?.columnsMax)),
    ),
  );
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd());
}

function renderCell(cell: Cell, color: boolean, columnsMax = Infinity): string {
  const wrapped = wrapAnsi(escapeForTerminal(readCellText(cell)), columnsMax, { hard: true });
  const text = wrapped.split("\n").map(escapeCommands).join("\n");
  const tone = color && typeof cell === "object" && "tone" in cell ? cell.tone : undefined;
  return paintText(text, tone);
}

const diffPaints: { readonly [sign in DiffLine["sign"]]: string } = {
  " ": "",
  "…": "",
  "-": "\u001b[31m",
  "+": "\u001b[32m",
};

function renderDiff(
  { title, lines }: Diff,
  color: boolean,
  columns: number | undefined,
): readonly string[] {
  const rows = lines.flatMap(({ sign, parts }) => {
    const segments = parts.map(({ text, is_changed: isChanged }) => {
      const escaped = escapeUnsafeExceptTabs(text);
      return color && isChanged ? `\u001b[7m${escaped}\u001b[27m` : escaped;
    });
    const paint = color ? diffPaints[sign] : "";
    return breakDiffLine(segments.join(""), columns).map((line, index) => {
      // Without the sign, a continuation line would look unchanged.
      const row = escapeCommands(`${sign}${index === 0 ? " " : "   "}${line}`.trimEnd());
      return paint === "" ? row : `${paint}${row}\u001b[0m`;
    });
  });
  return lines.length === 0 ? [] : [escapeForTerminal(title, columns), ...rows];
}

const tabColumnsMax = 8;

const diffMarginColumns = 4;

function breakDiffLine(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined) return [line];
  const tabs = line.split("\t").length - 1;
  const width = columns - diffMarginColumns - tabs * tabColumnsMax;
  return wrapAnsi(line, Math.max(width, textColumnsMin), { hard: true, trim: false }).split("\n");
}

function renderNotes(notes: readonly Note[], columns: number | undefined): readonly string[] {
  const lines = notes.map((note) => ({ ...note, label: escapeForTerminal(note.label) }));
  const labelWidth = Math.max(0, ...lines.map(({ label }) => displayWidth(label)));
  const indent = labelWidth + columnGap.length;
  const textColumns =
    columns === undefined ? undefined : Math.max(columns - indent, textColumnsMin);
  return lines.flatMap(({ label, text: rawText, commands = [] }) => {
    const text = escapeForTerminal(rawText, textColumns);
    const space = " ".repeat(labelWidth - displayWidth(label));
    const words = text === "" && commands.length > 0 ? [] : wrapWords(text, textColumns);
    const [first = "", ...further] = [
      ...words,
      ...commands.map((command) => escapeForTerminal(command)),
    ];
    const head = `${label}${space}${columnGap}${first}`.trimEnd();
    return [head, ...further.map((line) => `${" ".repeat(indent)}${line}`)];
  });
}

const textColumnsMin = 20;

// A word that is wider than the terminal stays whole, so that it can be copied.
function wrapWords(text: string, columns: number | undefined): readonly string[] {
  return columns === undefined ? [text] : wrapAnsi(text, columns).split("\n").map(escapeCommands);
}

// Names are shortened down to this width before any column is dropped.
const readableNameWidth = 16;

const nameWidthMin = 6;

const wrappedWidthMin = 12;

export function fitDocument(document: Document, columnsMax: number | undefined): Document {
  if (columnsMax === undefined) return document;
  const sections = document.sections.map((section) =>
    section.kind === "grid" ? fitGrid(measureGrid(section), columnsMax) : section,
  );
  return { ...document, sections };
}

type MeasuredGrid = {
  readonly grid: Grid;
  readonly widths: readonly number[];
  readonly canShorten: readonly boolean[];
};

function measureGrid(grid: Grid): MeasuredGrid {
  const { columns, rows } = grid;
  const widths = columns.map(({ head }, index) =>
    rows.reduce((max, row) => Math.max(max, measureCell(row[index] ?? "")), displayWidth(head)),
  );
  const canShorten = columns.map(
    ({ isFixedWidth, isWrapped }, index) =>
      isWrapped === true ||
      (isFixedWidth !== true && rows.some((row) => findName(row[index]) !== undefined)),
  );
  return { grid, widths, canShorten };
}

function fitGrid(measured: MeasuredGrid, columnsMax: number): Grid {
  const widths = fitWidths(measured, columnsMax, readableNameWidth);
  if (widths !== undefined) return limitWidths(measured.grid, widths);
  const columnToDrop = findColumnToDrop(measured.grid);
  if (columnToDrop !== undefined) return fitGrid(dropColumn(measured, columnToDrop), columnsMax);
  const narrowWidths = fitWidths(measured, columnsMax, nameWidthMin);
  return limitWidths(measured.grid, narrowWidths ?? findMinimums(measured, nameWidthMin));
}

function findColumnToDrop({ columns }: Grid): number | undefined {
  const ranks = columns.map(({ dropRank }) => dropRank ?? Infinity);
  const lowest = Math.min(...ranks);
  return lowest === Infinity ? undefined : ranks.indexOf(lowest);
}

function dropColumn({ grid, widths, canShorten }: MeasuredGrid, column: number): MeasuredGrid {
  const isRemaining = (_: unknown, index: number): boolean => index !== column;
  return {
    grid: {
      ...grid,
      columns: grid.columns.filter(isRemaining),
      rows: grid.rows.map((row) => row.filter(isRemaining)),
    },
    widths: widths.filter(isRemaining),
    canShorten: canShorten.filter(isRemaining),
  };
}

function findMinimums(
  { grid, widths, canShorten }: MeasuredGrid,
  nameWidth: number,
): readonly number[] {
  return grid.columns.map(({ head, isWrapped }, index) => {
    if (canShorten[index] !== true) return widths[index] ?? 0;
    return Math.max(isWrapped === true ? wrappedWidthMin : nameWidth, displayWidth(head));
  });
}

function fitWidths(
  measured: MeasuredGrid,
  columnsMax: number,
  nameWidth: number,
): readonly number[] | undefined {
  const limits = [...measured.widths];
  const minimums = findMinimums(measured, nameWidth);
  let excess = addUp(limits) + columnGap.length * (limits.length - 1) - columnsMax;
  for (; excess > 0; excess -= 1) {
    const shortenable = limits.map((limit, index) => (limit > (minimums[index] ?? 0) ? limit : 0));
    const widest = Math.max(0, ...shortenable);
    if (widest === 0) return undefined;
    limits[shortenable.indexOf(widest)] = widest - 1;
  }
  return limits;
}

function limitWidths(grid: Grid, limits: readonly number[]): Grid {
  const columns = grid.columns.map((column, index) =>
    column.isWrapped === true ? { ...column, columnsMax: limits[index] } : column,
  );
  const rows = grid.rows.map((row) =>
    row.map((cell, index) =>
      columns[index]?.isWrapped === true ? cell : shortenCell(cell, limits[index] ?? 0),
    ),
  );
  return { ...grid, columns, rows };
}

function shortenCell(cell: Cell, columnsMax: number): Cell {
  const name = findName(cell);
  return name && measureCell(cell) > columnsMax ? clipMiddle(name.name, columnsMax) : cell;
}

// Keeps the beginning and the end, because long names differ there more often than in the middle.
function clipMiddle(raw: string, columnsMax: number): string {
  const safe = clip(raw, Math.max(columnsMax, reportNameColumnsMax));
  if (displayWidth(safe) <= columnsMax) return safe;
  const characters = Array.from(safe);
  const endColumns = Math.floor((columnsMax - 1) / 2);
  const beginning = takeLongestPrefix(characters, columnsMax - 1 - endColumns);
  const end = Array.from(takeLongestPrefix(characters.toReversed(), endColumns))
    .toReversed()
    .join("");
  return `${beginning}…${end}`;
}

function findName(cell: Cell | undefined): Name | undefined {
  if (cell === undefined) return undefined;
  const text = readCellText(cell);
  return typeof text === "object" && "name" in text ? text : undefined;
}

function measureCell(cell: Cell): number {
  return displayWidth(escapeForTerminal(readCellText(cell)));
}

// Escapes control characters and characters that move or hide text. Also escapes `::` and `##[`, which begin commands
// of CI runners.
export function escapeForTerminal(text: Text, columns = Infinity): string {
  const escaped = listSpans(text)
    .map((span) => {
      if (typeof span === "string") return escapeUnsafe(span);
      const { name, columnsMax = cellWidthMax } = span;
      return columns < columnsMax ? clipMiddle(name, columns) : clip(name, columnsMax);
    })
    .join("");
  return escapeCommands(escaped);
}

function escapeCommands(line: string): string {
  return line.replace(/^(\s*)::/, "$1\\u003a:").replaceAll("##[", "\\u0023#[");
}

const paints: { readonly [tone in Tone]: string } = {
  good: "\u001b[32m",
  caution: "\u001b[33m",
  bad: "\u001b[31m",
  worst: "\u001b[1;31m",
  strong: "\u001b[1m",
};

export function paintText(text: string, tone: Tone | undefined): string {
  return tone === undefined || text === "" ? text : `${paints[tone]}${text}\u001b[0m`;
}
