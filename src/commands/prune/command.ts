import {
  requireStateFolder,
  findHomeFolder,
  locateImportCache,
  locateImports,
} from "#state/storage/folders.ts";
import { rmSync } from "node:fs";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { sumBy } from "#kit/text/numbers.ts";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { buildPruneDocument, type PruneReport } from "#screens/renderers/documents/prune.ts";
import { render } from "#screens/renderers/index.ts";
import { Teller } from "#kit/text/teller.ts";
import { printOutput, rejectUnwritableOutput, type Output } from "../output/output-options.ts";
import { removeFiles } from "#state/storage/prune/remove-files.ts";
import {
  findPrunableFiles,
  type PrunableFiles,
  type ChosenFile,
  chooseFiles,
  type Retention,
} from "#state/storage/prune/choose-files.ts";
import { automaticFilesMax, limitAutomaticPrune } from "#state/storage/prune/automatic-prune.ts";
import { locateTotals } from "#state/storage/prune/totals-file.ts";
import { commandSentences } from "../sentences.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { commonSentences } from "#kit/sentences.ts";

export type PruneOptions = Output<DocumentFormat> & {
  readonly retention: Retention;
  readonly imported: readonly string[];
  readonly isConfirmed: boolean;
  readonly isAutomatic: boolean;
};

export async function prune(options: PruneOptions, io: Io): Promise<Ending> {
  rejectUnwritableOutput(options);
  const folder = requireStateFolder(io.env, commandSentences.sessionsHomeMissing());
  const nowMs = Date.now();
  const prunable = findPrunableFiles(folder, { uid: userInfo().uid, nowMs });
  const { tell } = new Teller(io.stderr);
  for (const { folder: unread, reason } of prunable.unreadable) {
    tell(commonSentences.fileUnreadable(unread, reason));
  }
  const chosenFiles = chooseFilesToRemove(folder, prunable, options, nowMs);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isRemoving = options.isConfirmed && chosenFiles.length > 0;
  const { removed, failed } = isRemoving
    ? await removeFiles(folder, chosenFiles, zone)
    : { removed: chosenFiles, failed: 0 };
  if (isRemoving && removed.some(({ kind }) => kind === "imported"))
    rmSync(locateImportCache(folder), { recursive: true, force: true });
  const removedPaths = new Set(removed.map(({ path }) => path));
  const files = chosenFiles.filter(({ path }) => removedPaths.has(path));
  const report = buildReport({ folder, prunable, files, failed }, options);
  const document = buildPruneDocument(report, findHomeFolder(io.env));
  const printout = { document, data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: failed > 0 || prunable.unreadable.length > 0 ? exitCodes.failed : exitCodes.ok };
}

function chooseFilesToRemove(
  state: string,
  prunable: PrunableFiles,
  { retention, imported, isAutomatic }: PruneOptions,
  nowMs: number,
): readonly ChosenFile[] {
  const folders = new Set(imported.map((client) => join(locateImports(state), client)));
  const { olderThanMs, keepBytes } = retention;
  const files =
    imported.length === 0
      ? prunable.files
      : prunable.files.filter(({ path }) => folders.has(dirname(path)));
  if (imported.length > 0 && olderThanMs === undefined && keepBytes === undefined)
    return files.map((file) => ({ ...file, reason: "client" }));
  if (!isAutomatic) return chooseFiles({ ...prunable, files }, retention, nowMs);
  // An automatic prune keeps imported records, because the next import could undo their removal.
  const meteredFiles = files.filter(({ kind }) => kind !== "imported");
  const chosenFiles = chooseFiles({ ...prunable, files: meteredFiles }, retention, nowMs);
  return limitAutomaticPrune(chosenFiles, meteredFiles, automaticFilesMax);
}

type PruneOutcome = {
  readonly folder: string;
  readonly prunable: PrunableFiles;
  readonly files: readonly ChosenFile[];
  readonly failed: number;
};

function buildReport(
  { folder, prunable, files, failed }: PruneOutcome,
  options: PruneOptions,
): PruneReport {
  const bytes = sumBy(files, (file) => file.bytes);
  return {
    schema_version: "1.0",
    is_dry_run: !options.isConfirmed,
    files: files.map(({ path, kind, bytes: size, changedMs, reason }) => ({
      file: path,
      kind,
      bytes: size,
      changed_at: new Date(changedMs).toISOString(),
      reason,
    })),
    bytes,
    failed,
    live: prunable.liveSessions,
    foreign: prunable.foreign,
    kept_bytes: sumBy(prunable.files, (file) => file.bytes) + prunable.liveBytes - bytes,
    totals: locateTotals(folder),
  };
}
