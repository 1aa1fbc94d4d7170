import type { UsageReport } from "#reports/usage-report.ts";
import type { Document, Note, Section } from "../document.ts";
import { usageDocument } from "../documents/usage.ts";
import { render } from "../index.ts";

/** Of the columns that may be left out, lower ranks are. */
const leastRank = 9;

const leftOutNote = "definitions";

export function renderShortUsage(report: UsageReport, columnsMax: number): string {
  const notes = new Set<string>();
  return report.blocks
    .map((block) => usageDocument(report, block, { isWide: false, isTerminal: false }))
    .map((document) => shortened(document, notes))
    .map((document) =>
      render("table", { document, data: report }, { color: false, columns: columnsMax }),
    )
    .join("\n");
}

function shortened({ title, sections }: Document, known: Set<string>): Document {
  return { title, sections: sections.map((section) => shortSection(section, known)) };
}

function shortSection(section: Section, known: Set<string>): Section {
  if (section.kind === "grid") return withFewColumns(section);
  if (section.kind !== "notes") return section;
  return { ...section, notes: section.notes.filter((note) => isNew(note, known)) };
}

function withFewColumns(grid: Extract<Section, { kind: "grid" }>): Section {
  const isKept = grid.columns.map(({ dropRank = leastRank }) => dropRank >= leastRank);
  const kept = <Item>(items: readonly Item[]): Item[] => items.filter((_, at) => isKept[at]);
  return { ...grid, columns: kept(grid.columns), rows: grid.rows.map(kept) };
}

function isNew({ label, text }: Note, known: Set<string>): boolean {
  const key = JSON.stringify([label, text]);
  if (label === leftOutNote || known.has(key)) return false;
  known.add(key);
  return true;
}
