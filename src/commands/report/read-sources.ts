import { UserError } from "#kit/errors.ts";
import { type RecordSources, recordFilesMax } from "#state/storage/record-files.ts";
import {
  readRecords,
  type SkippedLines,
  type TakeImported,
  type TakeRecord,
} from "#state/storage/record-reader.ts";
import type { Tell } from "#kit/text/teller.ts";
import { reportSentences, describeSkips } from "./sentences.ts";
import { noteNameColumnsMax } from "#kit/limits.ts";
import { periodText } from "#screens/renderers/documents/usage-columns.ts";
import { describePeriod } from "#history/reports/make-report.ts";
import type { TimeRange, TimeZone } from "#history/reports/calendar.ts";
import type { UsageFact } from "#history/reports/usage-fact.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";

export const skippedFilesNamedMax = 10;

type ReadExtras = {
  readonly pause?: (() => Promise<void>) | undefined;
  readonly takeImported?: TakeImported | undefined;
};

export async function readSources(
  { sources, leftOut }: RecordSources,
  take: TakeRecord,
  tell: Tell,
  { pause, takeImported }: ReadExtras = {},
): Promise<number> {
  const skips = new SkippedFiles(tell);
  let records = 0;
  for (const { file, isNamed } of sources) {
    try {
      const read = await readRecords(file, take, takeImported);
      records += read.records;
      skips.add(file, read.skipped);
    } catch (error) {
      if (isNamed || !(error instanceof UserError)) throw error;
      tell(error.message);
    }
    await pause?.();
  }
  skips.end();
  if (leftOut > 0) tell(reportSentences.recordFilesLeftOut(leftOut, recordFilesMax));
  return records;
}

class SkippedFiles {
  readonly #tell: Tell;
  #named = 0;
  readonly #others = { lines: 0, files: 0 };

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  add(file: string, skipped: SkippedLines): void {
    const { incomplete, newer, foreign } = skipped;
    const lines = incomplete + newer + foreign;
    if (lines === 0) return;
    if (this.#named < skippedFilesNamedMax) {
      this.#named += 1;
      this.#tell(
        reportSentences.linesSkipped(file, lines, describeSkips(incomplete, newer, foreign)),
      );
      return;
    }
    this.#others.lines += lines;
    this.#others.files += 1;
  }

  end(): void {
    const { lines, files } = this.#others;
    if (files > 0) this.#tell(reportSentences.moreLinesSkipped(lines, files));
  }
}

const namesShownMax = 10;

export function describeNoMatch(
  facts: readonly UsageFact[],
  { range, zone }: { readonly range: TimeRange; readonly zone: TimeZone },
): string {
  const servers = listNames(facts.map(({ server }) => server));
  const clients = listNames(facts.map(({ session: { client } }) => client));
  const period = periodText({ ...describePeriod(range, zone), timezone: zone.name });
  return reportSentences.noMatch(period, servers, clients);
}

function listNames(names: readonly (string | null)[]): string {
  const known = [...new Set(names)].filter((name) => name !== null);
  return known
    .slice(0, namesShownMax)
    .map((name) => makeSafeName(name, noteNameColumnsMax))
    .join(", ");
}
