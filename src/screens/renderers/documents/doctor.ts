import { clip, problemColumnsMax } from "#kit/text/columns.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { Document, Note, Tone } from "../document.ts";
import { groupItems } from "./shared-texts.ts";

type FindingStatus = "ok" | "warning" | "broken";

export type Finding = {
  readonly check: string;
  readonly status: FindingStatus;
  readonly detail: string;
  readonly fix: string | null;
};

export type DoctorReport = {
  readonly schema_version: "1.0";
  readonly meter_version: string;
  readonly broken: number;
  readonly warnings: number;
  readonly findings: readonly Finding[];
};

export function buildDoctorDocument({ findings, broken, warnings }: DoctorReport): Document {
  return {
    title: broken + warnings === 0 ? "Everything is in order" : describeFindings(broken, warnings),
    sections: [
      {
        kind: "grid",
        columns: [{ head: "status" }, { head: "check" }, { head: "finding", isWrapped: true }],
        rows: findings.map(({ status, check, detail }) => [
          { text: status, tone: tones[status] },
          check,
          { name: detail, columnsMax: problemColumnsMax },
        ]),
      },
      { kind: "notes", notes: listFixNotes(findings) },
    ],
  };
}

function describeFindings(broken: number, warnings: number): string {
  const counts = [
    ...(broken > 0 ? [pluralize(broken, "problem")] : []),
    ...(warnings > 0 ? [pluralize(warnings, "warning")] : []),
  ];
  return counts.join(", ");
}

const tones: { readonly [status in FindingStatus]: Tone } = {
  ok: "good",
  warning: "caution",
  broken: "bad",
};

function listFixNotes(findings: readonly Finding[]): readonly Note[] {
  const fixes = findings.flatMap(({ check, fix }) => (fix === null ? [] : [{ check, fix }]));
  const distinct = groupItems(fixes, ({ check, fix }) => `${check} ${fix}`);
  return distinct.map(([{ check, fix }]) => {
    return { label: check, text: "", commands: [clip(fix, problemColumnsMax)] };
  });
}
