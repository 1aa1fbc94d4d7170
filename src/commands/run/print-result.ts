import { sentences } from "#errors.ts";
import type { Io } from "#io.ts";
import { mayColor, writeSummary } from "#os/output.ts";
import type { Summary } from "#records/summary.ts";
import type { TerminalOptions } from "#renderers/terminal.ts";
import type { Tell } from "#text/teller.ts";
import type { RunOptions } from "./options.ts";
import type { SessionResult } from "./session.ts";

/** Prints the summary of a session, and the facts that its user must know. */
export async function printResult(
  result: SessionResult,
  options: RunOptions,
  io: Io,
  tell: Tell,
): Promise<void> {
  const { summary, recordsPath, droppedRecords, foreignLines } = result;
  const isShown = options.summary !== "off" && summary.sessions > 0;
  if (isShown) await printSummary(summary, options, io, tell);
  else if (foreignLines > 0) tell(sentences.foreignOutput());
  if (droppedRecords > 0) tell(sentences.recordsDropped(droppedRecords));
  const isForPerson = isShown && options.summary !== "json" && options.log === undefined;
  if (isForPerson && recordsPath !== undefined) tell(sentences.recordsWritten(recordsPath));
}

/** The page of stderr, or of a file, which has neither colors nor a width. */
function stderrPage({ summaryFile, isWide }: RunOptions, { stderr, env }: Io): TerminalOptions {
  if (summaryFile !== undefined) return { color: false };
  return {
    color: mayColor(stderr, env),
    columns: stderr.isTerminal && !isWide ? stderr.columns : undefined,
  };
}

async function printSummary(
  summary: Summary,
  options: RunOptions,
  io: Io,
  tell: Tell,
): Promise<void> {
  const { summary: format, summaryFile } = options;
  if (format === "off") return;
  const { renderSummary } = await import("#renderers/summary.ts");
  const text = renderSummary(format, summary, stderrPage(options, io));
  // An empty line sets the table apart from the server's last output.
  const isBelow = format === "table" && summaryFile === undefined;
  writeSummary(isBelow ? `\n${text}` : text, summaryFile, io.stderr, tell);
}
