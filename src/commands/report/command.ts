import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { Ledgers } from "#records/ledgers.ts";
import { renderSummaries } from "#renderers/summary.ts";
import { expandPatterns } from "#os/expand-patterns.ts";
import { mayColor } from "#os/output.ts";
import { readRecords } from "#storage/record-reader.ts";
import { Teller } from "#text/teller.ts";
import type { ReportOptions } from "./options.ts";

/**
 * Folds record files into one summary for each estimator. For one file it is the summary that its session printed at
 * exit.
 */
export async function report({ format, files }: ReportOptions, io: Io): Promise<Ending> {
  const paths = await expandPatterns(files);
  const ledgers = new Ledgers();
  let records = 0;
  let skipped = 0;
  for (const path of paths) {
    const read = await readRecords(path, (record) => ledgers.add(record));
    records += read.records;
    skipped += read.skipped;
  }
  const { tell } = new Teller(io.stderr);
  if (skipped > 0) tell(sentences.linesSkipped(skipped));
  if (ledgers.leftOut > 0) tell(sentences.estimatorsLeftOut(ledgers.leftOut));
  if (records === 0) throw new UserError(sentences.noRecords(paths.length));
  const color = mayColor(io.stdout, io.env);
  io.stdout.write(renderSummaries(format, ledgers.summarize(), { color }));
  return { code: exitCodes.ok };
}
