import { problemColumnsMax, checkRowsMax } from "#limits/files.ts";
import { formatBytes, plural } from "#text/numbers.ts";
import type { Document, Note, Row } from "../document.ts";
import { omittedLine } from "./parts.ts";

/** A file that prune removes. */
type PrunedFile = {
  readonly file: string;
  readonly kind: "records" | "answer";
  readonly bytes: number;
  /** ISO 8601, UTC. */
  readonly changed_at: string;
  /** The rule that it exceeds. */
  readonly reason: "age" | "size";
};

/** The result of prune, by prune.schema.json. */
export type PruneReport = {
  readonly schema_version: "1.0";
  /** True when nothing was removed, because --yes is missing. */
  readonly is_dry_run: boolean;
  readonly files: readonly PrunedFile[];
  readonly bytes: number;
  /** Files that could not be removed. */
  readonly failed: number;
  /** Sessions that run, whose files are kept. */
  readonly live: number;
  /** Bytes of all files that are kept. */
  readonly kept_bytes: number;
  /** The file with the totals of removed sessions. */
  readonly totals: string;
};

/** The files that are or would be removed, the oldest first. */
export function pruneDocument(report: PruneReport): Document {
  const { files, bytes, is_dry_run: isDryRun } = report;
  const shown = files.slice(0, checkRowsMax);
  const verb = isDryRun ? "Would remove" : "Removed";
  const size = plural(files.length, "file");
  return {
    title: files.length === 0 ? "Nothing to remove" : `${verb} ${size}, ${formatBytes(bytes)}`,
    sections: [
      {
        kind: "grid",
        columns: [
          { head: "last change" },
          { head: "size", isNumber: true },
          { head: "reason" },
          { head: "file" },
        ],
        rows: shown.map(fileRow),
      },
      ...omittedLine(files.length, shown.length, "file"),
      { kind: "notes", notes: notesOf(report) },
    ],
  };
}

function fileRow({ file, bytes, changed_at: changedAt, reason }: PrunedFile): Row {
  const day = `${changedAt.slice(0, 16).replace("T", " ")} UTC`;
  return [day, formatBytes(bytes), reason, { name: file, columnsMax: problemColumnsMax }];
}

function notesOf(report: PruneReport): readonly Note[] {
  const { live, kept_bytes: kept, failed, totals, files, is_dry_run: isDryRun } = report;
  const path = { name: totals, columnsMax: problemColumnsMax };
  return [
    { label: "kept", text: formatBytes(kept) },
    ...(live === 0 ? [] : [{ label: "in use", text: `${plural(live, "session")}, not touched` }]),
    ...(failed === 0
      ? []
      : [{ label: "failed", text: `${plural(failed, "file")} cannot be removed` }]),
    ...(files.length === 0 ? [] : [{ label: "totals", text: ["daily totals are kept in ", path] }]),
    ...(isDryRun && files.length > 0
      ? [{ label: "dry run", text: "nothing was removed; pass --yes to remove these files" }]
      : []),
  ];
}
