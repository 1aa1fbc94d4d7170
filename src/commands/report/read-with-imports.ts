import type { ImportedCallRecord, ImportedRecord } from "#records/imported-record.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { ImportedHistory } from "#history/reports/imported/imported-history.ts";
import { WireMatches } from "#history/reports/imported/wire-matches.ts";
import { importsFolder } from "#state/storage/folders.ts";
import { type RecordSources, recordSourcesBelow } from "#state/storage/record-files.ts";
import type { TakeRecord } from "#state/storage/record-reader.ts";
import type { Tell } from "#kit/text/teller.ts";
import { readSources } from "./read-sources.ts";
import { commandSentences } from "../sentences.ts";

export type ReadImports = {
  readonly history: ImportedHistory;
  readonly pairs: ReadonlyMap<ImportedCallRecord, CallRecord>;
};

export type ImportReading = {
  readonly take: TakeRecord;
  readonly tell: Tell;
  readonly imports: RecordSources;
  readonly pause?: (() => Promise<void>) | undefined;
};

/** Files that hold both are read twice, because a call may come before the history that has it too; stdin is not. */
export async function readWithImports(
  sources: RecordSources,
  { take, tell, imports, pause }: ImportReading,
): Promise<ReadImports> {
  const history = new ImportedHistory();
  const takeImported = (record: ImportedRecord): boolean => history.add(record);
  await readSources(imports, ignore, tell, { pause, takeImported });
  let matches = new WireMatches(history);
  const isGathered = !history.isEmpty;
  const takeOffered = (record: MeterRecord): unknown => {
    if (isGathered) offer(matches, record);
    return take(record);
  };
  await readSources(sources, takeOffered, tell, { pause, takeImported });
  if (!isGathered && !history.isEmpty) {
    matches = new WireMatches(history);
    await readSources(again(sources), (record) => offer(matches, record), ignore, { pause });
  }
  if (history.leftOut > 0) tell(commandSentences.recordsLeftOut(history.leftOut));
  return { history, pairs: matches.pairs() };
}

export const noSources: RecordSources = { sources: [], leftOut: 0 };

export function machineImports(folder: string, sinceMs: number): RecordSources {
  return recordSourcesBelow(importsFolder(folder), sinceMs);
}

const ignore = (): void => undefined;

function again({ sources }: RecordSources): RecordSources {
  return { sources: sources.filter(({ file }) => file !== "-"), leftOut: 0 };
}

function offer(matches: WireMatches, record: MeterRecord): void {
  if (record.type === "call") matches.offer(record);
  else if (record.type === "session") matches.offerSession(record);
}
