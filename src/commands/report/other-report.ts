import type { Budget } from "#budgets/budget.ts";
import { sentences } from "#errors.ts";
import type { Io } from "#io.ts";
import { mayColor } from "#os/output.ts";
import type { MeterRecord } from "#records/record.ts";
import { periodText } from "#renderers/documents/usage-period.ts";
import type { DocumentFormat } from "#renderers/formats.ts";
import { renderAdvice } from "#renderers/reports/advice.ts";
import { renderReplay } from "#renderers/reports/replay.ts";
import { AdviceFold } from "#reports/advice/advice-fold.ts";
import { periodOf } from "#reports/make-report.ts";
import { isWanted, type RecordChoice } from "#reports/record-choice.ts";
import { BudgetReplay } from "#reports/replay/budget-replay.ts";
import { SeenRecords } from "#reports/seen-records.ts";
import { type Tell, Teller } from "#text/teller.ts";
import type { OtherReport, ReportOptions } from "./options.ts";
import { readSources } from "./read-sources.ts";
import { rangeOf, sourcesOf, usualDays, zoneNamed } from "./usage.ts";

/** Where and when a report is made. */
type Setting = { readonly options: ReportOptions; readonly io: Io; readonly nowMs: number };

type Take = (record: MeterRecord) => void;

/** Reads all records of a choice; `skip` gets the others. */
type Read = (take: Take, skip?: Take) => Promise<number>;

/** The text of advice, or of budgets replayed. Throws UserError for a time zone or a period that is none. */
export async function otherReportText(
  format: DocumentFormat,
  other: OtherReport,
  { options, io, nowMs }: Setting,
): Promise<string> {
  const { files, timezone, output } = options;
  const zone = zoneNamed(timezone);
  const range = rangeOf(other.range, files.length > 0 ? undefined : usualDays, zone, nowMs);
  const sources = await sourcesOf(files, range, io);
  const { tell } = new Teller(io.stderr);
  const choice = { range, filters: other.filters };
  const read: Read = (take, skip) => readSources(sources, chosen(choice, take, skip), tell);
  const period = periodText({ ...periodOf(range, zone), timezone: zone.name });
  const color = output === undefined && mayColor(io.stdout, io.env);
  const common = { schema_version: "1.0", period } as const;
  if (other.kind === "advice") {
    const fold = new AdviceFold();
    await read(
      (record) => fold.add(record),
      (record) => {
        if (record.type === "session") fold.know(record);
      },
    );
    if (fold.leftOut > 0) tell(sentences.recordsLeftOut(fold.leftOut));
    return renderAdvice(format, { ...common, blocks: fold.parts() }, { color });
  }
  const budgets = await replayed(other.budgets, read, tell);
  return renderReplay(format, { ...common, budgets }, { color });
}

async function replayed(
  budgets: readonly Budget[],
  read: Read,
  tell: Tell,
): Promise<ReturnType<BudgetReplay["results"]>> {
  const replay = new BudgetReplay(budgets);
  await read((record) => {
    if (record.type === "call") replay.add(record);
  });
  if (replay.leftOut > 0) tell(sentences.recordsLeftOut(replay.leftOut));
  return replay.results();
}

/** Passes on the records of a choice, each once, and skips the others. */
function chosen(choice: RecordChoice, take: Take, skip: Take = () => undefined): Take {
  const seen = new SeenRecords();
  return (record) => {
    if (!isWanted(record, choice)) skip(record);
    else if (seen.isNew(record)) take(record);
  };
}
