import type { Io } from "#kit/io.ts";
import { writeSummary } from "#kit/os/standard-streams.ts";
import type { Summary } from "#records/summary.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { MeteringOptions } from "./options.ts";
import { type SessionResult, hasSession } from "./recording.ts";
import { runSentences } from "./sentences.ts";
import { measurePage } from "../output/output-options.ts";
import { ownFile } from "#kit/os/file-errors.ts";
import { attempt } from "#kit/errors.ts";
import { constants, fstatSync, futimesSync, openSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "#kit/os/run-program.ts";
import { findCurrentExecutable } from "#kit/os/current-executable.ts";
import type { Retention } from "#state/storage/prune/choose-files.ts";

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
  const { renderSummaries } = await import("#screens/renderers/render-summary.ts");
  const target = { output: summaryFile, isWide: options.isWide };
  const page = await measurePage(target, io.stderr, io.env);
  const text = renderSummaries(format, summaries, page);
  const hasBlankLine = format === "table" && summaryFile === undefined;
  writeSummary(hasBlankLine ? `\n${text}` : text, summaryFile, io.stderr, tell);
}

export const automaticPruneIntervalMs = 20 * 3_600_000;

/** Starts `mcp-meter prune`, unless one started recently. Does not wait for it; ignores failures. */
export async function startPrune(
  { olderThanMs, keepBytes }: Retention,
  stateFolder: string | undefined,
  executable: string = findCurrentExecutable(),
): Promise<void> {
  if (stateFolder === undefined) return;
  const rules = [
    ...(olderThanMs === undefined ? [] : ["--older-than", `${olderThanMs / hourMs}h`]),
    ...(keepBytes === undefined ? [] : ["--keep-bytes", String(keepBytes)]),
  ];
  try {
    if (!markIfDue(stateFolder)) return;
    const words = ["prune", ...rules, "--automatic", "--yes"];
    await startProgram([executable, ...words], { detached: true });
  } catch {
    // The folder is missing or read-only, or no process can start: a later session tries again.
  }
}

const hourMs = 3_600_000;

/** False if the last start is too recent. Otherwise marks this start. Ignores a mark in the future, which a wrong clock made. Throws system errors. */
function markIfDue(stateFolder: string): boolean {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
  const path = join(stateFolder, "prune.lock");
  const flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK;
  const createdFd = attempt(() => openSync(path, flags | O_CREAT | O_EXCL, 0o600));
  using file = ownFile(createdFd ?? openSync(path, flags));
  const nowMs = Date.now();
  const ageMs = nowMs - fstatSync(file.fd).mtimeMs;
  if (createdFd === undefined && ageMs >= 0 && ageMs < automaticPruneIntervalMs) return false;
  futimesSync(file.fd, nowMs / 1000, nowMs / 1000);
  return true;
}
