import { exitCodes, sentences } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { mayColor, writeSummary } from "#os/output.ts";
import { rejectDirectoryAsStdin } from "#os/stdin.ts";
import { interpose } from "#proxy/interpose.ts";
import type { Summary } from "#records/summary.ts";
import { newOverflowPath } from "#storage/overflow-path.ts";
import { type Tell, Teller } from "#text/teller.ts";
import type { RunOptions } from "./options.ts";
import { openSession, type SessionResult } from "./session.ts";

/** Stands in front of a server until it ends, then prints what the session cost. */
export async function run(options: RunOptions, io: Io): Promise<Ending> {
  const { command } = options;
  const { tell } = new Teller(io.stderr);
  rejectDirectoryAsStdin();
  const session = await openSession(command, options, io, tell);
  const overflowPath = (): string => newOverflowPath(io.env);
  const ending = await interpose(command, session.observer, { ...io, overflowPath });
  const result = await session.close(ending);
  await tellResult(result, options, io, tell);
  return hasEnforced(result.summary, ending, options) ? { code: exitCodes.failed } : ending;
}

async function tellResult(
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

async function printSummary(
  summary: Summary,
  options: RunOptions,
  io: Io,
  tell: Tell,
): Promise<void> {
  const { summary: format, summaryFile } = options;
  if (format === "off") return;
  const { renderSummary } = await import("#renderers/summary.ts");
  const color = summaryFile === undefined && mayColor(io.stderr, io.env);
  const text = renderSummary(format, summary, { color });
  // An empty line sets the table apart from the server's last output.
  const isBelow = format === "table" && summaryFile === undefined;
  writeSummary(isBelow ? `\n${text}` : text, summaryFile, io.stderr, tell);
}

/** An enforced budget shows in the exit code, unless the server failed by itself. */
function hasEnforced(summary: Summary, ending: Ending, { exitCode }: RunOptions): boolean {
  const hasSucceeded = "code" in ending && ending.code === 0;
  return exitCode === "auto" && hasSucceeded && summary.enforced_breaches > 0;
}
