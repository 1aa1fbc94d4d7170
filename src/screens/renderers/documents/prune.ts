import { formatBytes, pluralize } from "#kit/text/numbers.ts";
import type { Column, Document, Note, Row } from "../document.ts";
import { buildLimitedGrid, makePathName, noteIf } from "./shared-texts.ts";

type PrunedFile = {
  readonly file: string;
  readonly kind: "records" | "answer" | "imported";
  readonly bytes: number;
  readonly changed_at: string;
  readonly reason: "age" | "size" | "client";
};

export type PruneReport = {
  readonly schema_version: "1.0";
  readonly is_dry_run: boolean;
  readonly files: readonly PrunedFile[];
  readonly bytes: number;
  readonly failed: number;
  readonly live: number;
  readonly foreign: number;
  readonly kept_bytes: number;
  readonly totals: string;
};

export function buildPruneDocument(report: PruneReport, home?: string): Document {
  const { files, bytes, failed, is_dry_run: isDryRun } = report;
  const verb = isDryRun ? "Would remove" : "Removed";
  const nothing = failed === 0 ? "Nothing to remove" : "Removed nothing";
  const fileCount = pluralize(files.length, "file");
  return {
    title: files.length === 0 ? nothing : `${verb} ${fileCount}, ${formatBytes(bytes)}`,
    sections: [
      ...buildLimitedGrid(
        columns,
        files.map((file) => formatFileRow(file, home)),
        "file",
      ),
      { kind: "notes", notes: listNotes(report) },
    ],
  };
}

const columns: readonly Column[] = [
  { head: "last change" },
  { head: "size", isNumber: true },
  { head: "reason" },
  { head: "file" },
];

function formatFileRow(
  { file, bytes, changed_at: changedAt, reason }: PrunedFile,
  home: string | undefined,
): Row {
  const time = `${changedAt.slice(0, 16).replace("T", " ")} UTC`;
  return [time, formatBytes(bytes), reason, makePathName(file, home)];
}

function listNotes(report: PruneReport): readonly Note[] {
  const { live, foreign, kept_bytes: keptBytes, failed, files, totals } = report;
  const hasRecords = files.some(({ kind }) => kind === "records");
  const imported = files.filter(({ kind }) => kind === "imported").length;
  const importedText = `${pluralize(imported, "file")} of imported history; it has no daily totals, and importing it again requires the client's logs`;
  const foreignText = `${pluralize(foreign, "file")} not written by mcp-meter: unknown name, other owner, or a link`;
  const liveText = `${pluralize(live, "session")} not touched: running, or ended less than an hour ago`;
  const dryRun = "nothing was removed; pass --yes to remove these files";
  return [
    ...noteIf(keptBytes > 0, "kept", formatBytes(keptBytes)),
    ...noteIf(foreign > 0, "left alone", foreignText),
    ...noteIf(live > 0, "in use", liveText),
    ...noteIf(failed > 0, "failed", `${pluralize(failed, "file")} could not be removed`),
    ...noteIf(imported > 0, "imported", importedText),
    ...noteIf(hasRecords, "totals", ["daily totals are kept in ", makePathName(totals)]),
    ...noteIf(report.is_dry_run && files.length > 0, "dry run", dryRun),
  ];
}
