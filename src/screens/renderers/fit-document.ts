import { clipMiddle, displayWidth } from "#kit/text/display.ts";
import { type Cell, type Document, type Name, type Section, textIn } from "./document.ts";
import { terminalText } from "./terminal-text.ts";

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
