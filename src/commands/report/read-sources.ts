import { UserError } from "#kit/errors.ts";
import { type RecordSources, recordFilesMax } from "#state/storage/find-record-files.ts";
import {
  readRecords,
  type SkippedLines,
  type TakeImported,
  type TakeRecord,
} from "#state/storage/read-records.ts";
import type { Tell } from "#kit/text/teller.ts";
import { reportSentences, describeSkips } from "./sentences.ts";

export const skippedFilesNamedMax = 10;

type ReadExtras = {
  readonly afterFile?: (() => Promise<void>) | undefined;
  readonly takeImported?: TakeImported | undefined;
};

export async function readSources(
  { sources, leftOut }: RecordSources,
  take: TakeRecord,
  tell: Tell,
  { afterFile, takeImported }: ReadExtras = {},
): Promise<number> {
  const skips: FileSkips[] = [];
  let records = 0;
  for (const { file, isNamed } of sources) {
    try {
      const read = await readRecords(file, take, takeImported);
      records += read.records;
      const { incomplete, newer, foreign } = read.skipped;
      const lines = incomplete + newer + foreign;
      if (lines > 0) skips.push({ file, lines, ...read.skipped });
    } catch (error) {
      if (isNamed || !(error instanceof UserError)) throw error;
      tell(error.message);
    }
    await afterFile?.();
  }
  tellSkips(skips, tell);
  if (leftOut > 0) tell(reportSentences.recordFilesLeftOut(leftOut, recordFilesMax));
  return records;
}

type FileSkips = SkippedLines & { readonly file: string; readonly lines: number };

function tellSkips(skips: readonly FileSkips[], tell: Tell): void {
  for (const { file, lines, incomplete, newer, foreign } of skips.slice(0, skippedFilesNamedMax)) {
    tell(reportSentences.linesSkipped(file, lines, describeSkips(incomplete, newer, foreign)));
  }
  const others = skips.slice(skippedFilesNamedMax);
  const lines = others.reduce((sum, skip) => sum + skip.lines, 0);
  if (lines > 0) tell(reportSentences.moreLinesSkipped(lines, others.length));
}
