import { problemColumnsMax } from "#kit/limits.ts";
import { checkRowsMax } from "../../limits.ts";
import { formatBytes, pluralize } from "#kit/text/numbers.ts";
import type { Document, Note, Row } from "../document.ts";
import { noteOmitted } from "./parts.ts";

type PrunedFile = {
  readonly file: string;
  readonly kind: "records" | "answer";
  readonly bytes: number;
  readonly changed_at: string;
  readonly reason: "age" | "size";
};

export type PruneReport = {
  readonly schema_version: "1.0";
  readonly is_dry_run: boolean;
  readonly files: readonly PrunedFile[];
  readonly bytes: number;
  readonly failed: number;
  readonly live: number;
  readonly kept_bytes: number;
  readonly totals: string;
};

export function buildPruneDocument(report: PruneReport): Document {
  const { files, bytes, is_dry_run: isDryRun } = report;
  const shown = files.slice(0, checkRowsMax);
  const verb = isDryRun ? "Would remove" : "Removed";
  const fileCount = pluralize(files.length, "file");
  return {
    title: files.length === 0 ? "Nothing to remove" : `${verb} ${fileCount}, ${formatBytes(bytes)}`,
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "last change" },
          { head: "size", isNumber: true },
          { head: "reason" },
          { head: "file" },
        ],
        rows: shown.map(formatFileRow),
      },
      ...noteOmitted(files.length, shown.length, "file"),
      { kind: "notes", notes: listNotes(report) },
    ],
  };
}

function formatFileRow({ file, bytes, changed_at: changedAt, reason }: PrunedFile): Row {
  const day = `${changedAt.slice(0, 16).replace("T", " ")} UTC`;
  return [day, formatBytes(bytes), reason, { name: file, columnsMax: problemColumnsMax }];
}

function listNotes(report: PruneReport): readonly Note[] {
  const { live, kept_bytes: keptBytes, failed, totals, files, is_dry_run: isDryRun } = report;
  const path = { name: totals, columnsMax: problemColumnsMax };
  return [
    { label: "kept", text: formatBytes(keptBytes) },
    ...(live === 0
      ? []
      : [
          {
            label: "in use",
            text: `${pluralize(live, "session")} running, or ended less than an hour ago: not touched`,
          },
        ]),
    ...(failed === 0
      ? []
      : [{ label: "failed", text: `${pluralize(failed, "file")} could not be removed` }]),
    ...(files.length === 0 ? [] : [{ label: "totals", text: ["daily totals are kept in ", path] }]),
    ...(isDryRun && files.length > 0
      ? [{ label: "dry run", text: "nothing was removed; pass --yes to remove these files" }]
      : []),
  ];
}
