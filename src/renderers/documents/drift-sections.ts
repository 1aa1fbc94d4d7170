import { driftColumnsMax, driftRowsMax, driftValueColumnsMax } from "#limits.ts";
import type { Drift } from "#lock/drift.ts";
import type { ToolDiff } from "#lock/drift/lock-diff.ts";
import type { Severity } from "#lock/severity.ts";
import { clip } from "#text/display.ts";
import { plural } from "#text/numbers.ts";
import type { Cell, Row, Section, Text, Tone } from "../document.ts";
import { noteName, omittedLine } from "./parts.ts";

/** A table of drifts, worst first, as they are listed. */
export function driftSections(drifts: readonly Drift[]): readonly Section[] {
  const heads = ["severity", "tool", "drift", "before", "after"];
  return [
    {
      kind: "grid",
      columns: heads.map((head) => ({ head })),
      rows: drifts.slice(0, driftRowsMax).map(driftRow),
    },
    ...omittedLine(drifts.length, driftRowsMax, "drift"),
  ];
}

/** The changed definitions, one diff after the other. */
export function diffSections(diffs: readonly ToolDiff[]): readonly Section[] {
  return diffs.flatMap(({ tool, lines, omitted_lines: omitted }): readonly Section[] => {
    const title: Text = tool === null ? "instructions" : noteName(tool);
    return [
      { kind: "diff", title, lines },
      ...(omitted > 0 ? [{ kind: "line", text: plural(omitted, "more line") } as const] : []),
    ];
  });
}

function driftRow({ severity, tool, what, before, after }: Drift): Row {
  return [
    severityCell(severity),
    tool === null ? "(server)" : { name: tool },
    clip(what, driftColumnsMax),
    clip(before ?? "", driftValueColumnsMax),
    clip(after ?? "", driftValueColumnsMax),
  ];
}

const severityTones: { readonly [severity in Severity]: Tone | undefined } = {
  BREAKING: "worst",
  RISKY: "bad",
  SAFE: undefined,
  COSMETIC: undefined,
};

function severityCell(severity: Severity): Cell {
  const tone = severityTones[severity];
  return tone === undefined ? severity : { text: severity, tone };
}
