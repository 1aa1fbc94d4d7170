import type { Io } from "#kit/io.ts";
import { writeSummary } from "#kit/os/standard-streams.ts";
import type { Summary } from "#records/summary.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { MeteringOptions } from "./options.ts";
import { type SessionResult, hasSession } from "./recording.ts";
import { runSentences } from "./sentences.ts";
import { measurePage } from "../output/output-options.ts";

export async function printResult(
  result: SessionResult,
  options: MeteringOptions,
  io: Io,
  tell: Tell,
): Promise<void> {
  const { summaries, recordsPath, droppedRecords, foreignLineCount } = result;
  const isShown = options.summary !== "off" && hasSession(summaries);
  if (isShown) await printSummary(summaries, options, io, tell);
  else if (foreignLineCount > 0) tell(runSentences.foreignOutput());
  if (droppedRecords > 0) tell(runSentences.recordsDropped(droppedRecords));
  const isForPerson = isShown && options.summary !== "json" && options.log === undefined;
  if (isForPerson && recordsPath !== undefined) tell(runSentences.recordsWritten(recordsPath));
}

async function printSummary(
  summaries: readonly Summary[],
  options: MeteringOptions,
  io: Io,
  tell: Tell,
): Promise<void> {
  const { summary: format, summaryFile } = options;
  if (format === "off") return;
  const { renderSummaries } = await import("#screens/renderers/index.ts");
  const target = { output: summaryFile, isWide: options.isWide };
  const page = await measurePage(target, io.stderr, io.env);
  const text = renderSummaries(format, summaries, page);
  const hasBlankLine = format === "table" && summaryFile === undefined;
  writeSummary(hasBlankLine ? `\n${text}` : text, summaryFile, io.stderr, tell);
}
