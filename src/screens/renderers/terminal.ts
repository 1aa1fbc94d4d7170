import Table from "cli-table3";
import { displayWidth, clipMiddle, clip, escapeUnsafe } from "#kit/text/unsafe-text.ts";
import type { DiffLine } from "#kit/text/difference.ts";
import {
  textIn,
  type Cell,
  type Document,
  type Note,
  type Row,
  type Section,
  type Name,
  spansIn,
  type Text,
  type Tone,
} from "./document.ts";
import type { Problem } from "#check/report.ts";

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

// At this width columns of numbers are left out instead.
const shortNameColumnsMin = 16;

const nameColumnsMin = 6;

type Grid = Extract<Section, { kind: "grid" }>;

const gapColumns = 2;

/** Shortens names in the middle, only as far as needed, and drops columns by `dropRank` before names become too short to read. */
export function fitDocument(document: Document, columnsMax: number | undefined): Document {
  if (columnsMax === undefined) return document;
  const sections = document.sections.map((section) =>
    section.kind === "grid" ? fitGrid(measured(section), columnsMax) : section,
  );
  return { ...document, sections };
}

type Measured = {
  readonly grid: Grid;
  readonly widths: readonly number[];
  readonly areNames: readonly boolean[];
};

function measured(grid: Grid): Measured {
  const { columns, rows } = grid;
  const widths = columns.map(({ head }, at) =>
    rows.reduce((most, row) => Math.max(most, widthIn(row[at] ?? "")), displayWidth(head)),
  );
  const areNames = columns.map(
    ({ isWhole }, at) => isWhole !== true && rows.some((row) => nameIn(row[at]) !== undefined),
  );
  return { grid, widths, areNames };
}

function fitGrid(whole: Measured, columnsMax: number): Grid {
  const next = nextToDrop(whole.grid);
  const limits = limitsFor(whole, columnsMax, shortNameColumnsMin);
  if (limits !== undefined) return shortened(whole.grid, limits);
  if (next !== undefined) return fitGrid(withoutColumn(whole, next), columnsMax);
  const least = limitsFor(whole, columnsMax, nameColumnsMin);
  return shortened(whole.grid, least ?? shortest(whole));
}

function shortest({ widths, areNames }: Measured): readonly number[] {
  return widths.map((width, at) => (areNames[at] === true ? nameColumnsMin : width));
}

function nextToDrop({ columns }: Grid): number | undefined {
  const ranks = columns.map(({ dropRank }) => dropRank ?? Infinity);
  const least = Math.min(...ranks);
  return least === Infinity ? undefined : ranks.indexOf(least);
}

function withoutColumn({ grid, widths, areNames }: Measured, dropped: number): Measured {
  const isKept = (_: unknown, at: number): boolean => at !== dropped;
  return {
    grid: {
      ...grid,
      columns: grid.columns.filter(isKept),
      rows: grid.rows.map((row) => row.filter(isKept)),
    },
    widths: widths.filter(isKept),
    areNames: areNames.filter(isKept),
  };
}

/** The widest names are shortened first, to at least `columnsMin`; undefined when the table does not fit. */
function limitsFor(
  { grid, widths, areNames }: Measured,
  columnsMax: number,
  columnsMin: number,
): number[] | undefined {
  const limits = [...widths];
  const least = grid.columns.map(({ head }, at) =>
    areNames[at] === true ? Math.max(columnsMin, displayWidth(head)) : (widths[at] ?? 0),
  );
  let excess = sum(limits) + gapColumns * (limits.length - 1) - columnsMax;
  for (; excess > 0; excess -= 1) {
    const room = limits.map((limit, at) => (limit > (least[at] ?? 0) ? limit : 0));
    const widest = Math.max(0, ...room);
    if (widest === 0) return undefined;
    const at = room.indexOf(widest);
    limits[at] = widest - 1;
  }
  return limits;
}

function shortened(grid: Grid, limits: readonly number[]): Grid {
  const rows = grid.rows.map((row) => row.map((cell, at) => shortCell(cell, limits[at] ?? 0)));
  return { ...grid, rows };
}

function shortCell(cell: Cell, columnsMax: number): Cell {
  const name = nameIn(cell);
  return name && widthIn(cell) > columnsMax ? clipMiddle(name.name, columnsMax) : cell;
}

function nameIn(cell: Cell | undefined): Name | undefined {
  if (cell === undefined) return undefined;
  const text = textIn(cell);
  return typeof text === "object" && "name" in text ? text : undefined;
}

function widthIn(cell: Cell): number {
  return displayWidth(terminalText(textIn(cell)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** No control character, nothing that moves or hides text, and no command to a CI runner, which obeys `::` and `##[` at the beginning or inside of a line. */
export function terminalText(text: Text): string {
  return spansIn(text)
    .map((span) =>
      typeof span === "string" ? escapeUnsafe(span) : clip(span.name, span.columnsMax),
    )
    .join("")
    .replace(/^\s*::/, "\\u003a:")
    .replaceAll("##[", "\\u0023#[");
}

const paints: { readonly [tone in Tone]: string } = {
  good: "\u001b[32m",
  caution: "\u001b[33m",
  bad: "\u001b[31m",
  worst: "\u001b[1;31m",
  strong: "\u001b[1m",
};

export function painted(text: string, tone: Tone | undefined): string {
  return tone === undefined || text === "" ? text : `${paints[tone]}${text}\u001b[0m`;
}

export function mergeRounds(problems: readonly Problem[]): readonly Problem[] {
  const groups = Map.groupBy(problems, ({ place, line, rule, about, text }, at) =>
    // Tools have no rounds: the same problem twice is that of two tools of one name.
    place === "calls"
      ? JSON.stringify(line === null ? [rule, about, text] : [line, rule, text])
      : at,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ?? [];
    return { ...first, about: `${first.about ?? ""}, ${others.length + 1} rounds` };
  });
}
