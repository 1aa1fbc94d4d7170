import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { Ledger } from "#records/ledger.ts";
import { documentFormats } from "#renderers/formats.ts";
import { renderSummary } from "#renderers/summary.ts";
import { expandPatterns } from "#os/expand-patterns.ts";
import { readRecords } from "#storage/record-reader.ts";
import { mayColor } from "#os/output.ts";
import { Teller } from "#text/teller.ts";
import type { Arguments } from "../command.ts";
import { choiceOption, flagOption } from "../values.ts";

/** Folds record files into one summary: for one file, what its session printed at exit. */
export async function report({ options, operands, child }: Arguments, io: Io): Promise<Ending> {
  const format = flagOption(options, "json")
    ? "json"
    : (choiceOption(options, "summary", documentFormats) ?? "table");
  const patterns = [...operands, ...(child ?? [])];
  if (patterns.length === 0) throw new UserError(sentences.reportFileMissing());
  const files = await expandPatterns(patterns);
  const ledger = new Ledger();
  let records = 0;
  let foreign = 0;
  for (const file of files) {
    const read = await readRecords(file, (record) => ledger.add(record));
    records += read.records;
    foreign += read.skipped;
  }
  if (foreign > 0) new Teller(io.stderr).tell(sentences.linesSkipped(foreign));
  if (records === 0) throw new UserError(sentences.noRecords(files.length));
  const color = mayColor(io.stdout, io.env);
  io.stdout.write(renderSummary(format, ledger.summarize(), { color }));
  return { code: exitCodes.ok };
}
