import { type Drift, driftRules, type Severity } from "#lock/drift/severity-rules.ts";
import type { LockDiff } from "#lock/drift/lock-diff.ts";
import { showDifference } from "#kit/text/difference.ts";
import { clip } from "#kit/text/columns.ts";
import { escapeLookalikes } from "#kit/text/unsafe-text.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import type { Cell, Note, Row, Section, Text, Tone, Column } from "../document.ts";
import {
  buildLimitedGrid,
  type Group,
  formatTokenChange,
  groupItems,
  listNames,
  makeNoteName,
  noteOmitted,
} from "./shared-texts.ts";
import type { CostChange, LockComparison } from "#lock/lock-report.ts";

const driftRowsMax = 100;

const driftWidthMax = 120;

const driftExamplesMax = 10;

const driftValueWidthMax = 48;

export function buildDriftSections(drifts: readonly Drift[]): readonly Section[] {
  const groups = groupAcrossTools(drifts, ({ severity, what, before, after }) => [
    severity,
    what,
    before,
    after,
  ]);
  const examples = groups.slice(0, driftRowsMax).flatMap(([first]) => listExampleNotes(first));
  const distinct = new Map(examples.map((note) => [JSON.stringify(note), note])).values();
  const notes = [...distinct].slice(0, driftExamplesMax);
  return [
    ...buildLimitedGrid(driftColumns, groups.map(formatDriftRow), "drift", driftRowsMax),
    ...(notes.length > 0 ? [{ kind: "notes", notes } as const] : []),
  ];
}

const driftColumns: readonly Column[] = [
  { head: "severity" },
  ...["tool", "drift", "before", "after"].map((head) => ({ head, isWrapped: true })),
];

function listExampleNotes({ tool, kind, example }: Drift): readonly Note[] {
  if (example === undefined || driftRules[kind].severity !== "BREAKING") return [];
  const label = kind.startsWith("output_") ? "be ready for" : "stop sending";
  const shown = clip(example, driftWidthMax);
  return [{ label, text: [makeNoteName(tool ?? "(server)"), ` ${shown}`] }];
}

export function buildDiffSections(diffs: readonly LockDiff[]): readonly Section[] {
  const groups = groupAcrossTools(diffs, ({ title, lines, omitted_lines: omitted }) => [
    title,
    lines,
    omitted,
  ]);
  return groups.flatMap(([first, ...others]): readonly Section[] => {
    const { lines, omitted_lines: omitted } = first;
    return [
      { kind: "diff", title: nameDiff(first, others), lines },
      ...(omitted > 0 ? [{ kind: "line", text: pluralize(omitted, "more line") } as const] : []),
    ];
  });
}

function nameDiff({ tool, title }: LockDiff, others: readonly LockDiff[]): Text {
  if (title !== undefined) return [makeNoteName(title)];
  if (tool === null) return "instructions";
  return listNames([tool, ...others.map((other) => other.tool ?? "")].map(makeNoteName));
}

function groupAcrossTools<Item extends { readonly tool: string | null }>(
  items: readonly Item[],
  readKey: (item: Item) => readonly unknown[],
): readonly Group<Item>[] {
  return groupItems(items, (item) => JSON.stringify([item.tool === null, ...readKey(item)]));
}

function formatDriftRow([first, ...others]: Group<Drift>): Row {
  const { severity, tool, what, before, after } = first;
  const names = [first, ...others].map((drift) => ({ name: escapeLookalikes(drift.tool ?? "") }));
  return [
    { text: severity, tone: severityTones[severity] },
    tool === null ? "(server)" : listNames(names),
    clip(escapeLookalikes(what), driftWidthMax),
    ...formatValueCells(before, after),
  ];
}

function formatValueCells(before: string | null, after: string | null): readonly Cell[] {
  const isPair = before !== null && after !== null;
  const shown = isPair ? showDifference({ before, after }, driftValueWidthMax) : { before, after };
  return [shown.before, shown.after].map((text) =>
    clip(escapeLookalikes(text ?? ""), driftValueWidthMax),
  );
}

const severityTones: { readonly [severity in Severity]: Tone | undefined } = {
  BREAKING: "worst",
  RISKY: "bad",
  SAFE: undefined,
  COSMETIC: undefined,
};

const costColumns: readonly Column[] = [
  { head: "tool" },
  ...["before", "after", "change"].map((head) => ({ head, isNumber: true })),
];

export function buildCostSections(comparison: LockComparison): readonly Section[] {
  const { costs, total_tokens: total } = comparison;
  if (costs.length === 0) return [];
  const totalRow: Row = [{ text: "all definitions", tone: "strong" }, ...formatChangeCells(total)];
  const rows = costs.slice(0, driftRowsMax).map(formatCostRow);
  return [
    { kind: "grid", columns: costColumns, rows: [...rows, totalRow] },
    ...noteOmitted(costs.length, driftRowsMax, "changed definition"),
  ];
}

function formatCostRow({ tool, ...change }: CostChange): Row {
  return [tool === null ? "(instructions)" : { name: tool }, ...formatChangeCells(change)];
}

function formatChangeCells({
  before,
  after,
}: Pick<CostChange, "before" | "after">): readonly string[] {
  return [formatTokenCell(before), formatTokenCell(after), describeChange({ before, after })];
}

function formatTokenCell(tokens: number | null): string {
  return tokens === null ? "" : formatCount(tokens);
}

function describeChange({ before, after }: Pick<CostChange, "before" | "after">): string {
  if (before === null) return "new";
  if (after === null) return "removed";
  return formatTokenChange({ before, after });
}
