import { randomUUID } from "node:crypto";
import { exitCodes, makeFailure, UserError, recover } from "#kit/errors.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { Ending, Io } from "#kit/io.ts";
import {
  renderCheck,
  renderFailure,
  type CheckPrintOptions,
  type CheckPrintout,
} from "#screens/renderers/render-check.ts";
import type { CheckFormat } from "#screens/renderers/formats.ts";
import { writeReportFile } from "#state/storage/report-file.ts";
import { Teller, type Tell } from "#kit/text/teller.ts";
import { rejectOverwrites, type CheckInputs } from "./reject-overwrites.ts";
import { printOutput, rejectUnwritableFiles } from "./output/output-options.ts";
import type { CheckOutput } from "./check-output-options.ts";
import { constants, statSync, writeFileSync } from "node:fs";
import { readErrorCode, makeDisposableFile } from "#kit/os/file-errors.ts";
import { openToWrite } from "#kit/os/open-file.ts";
import type { CheckFailure } from "#check/report.ts";
import { commandSentences } from "./sentences.ts";

export type CheckReportOptions = CheckInputs &
  CheckOutput & {
    // False for `lock` without --check: on GitHub Actions, it prints the same as elsewhere.
    readonly hasVerdict: boolean;
  };

export type CheckResult = CheckPrintout | { readonly interrupted: Ending };

// If the check fails with a UserError, each report says so: a missing report could be taken for success.
export async function runReportedCheck(
  runCheck: () => Promise<CheckResult>,
  options: CheckReportOptions,
  io: Io,
): Promise<Ending> {
  const files = listReportFiles(options);
  rejectOverwrites(files, options);
  rejectUnwritableFiles(files);
  const startedAt = new Date();
  const result = await runCheck().catch(async (error: unknown) => {
    if (error instanceof UserError) await writeFailureReports(error, { options, startedAt }, io);
    throw error;
  });
  if ("interrupted" in result) return result.interrupted;
  const render: Render = (format, printOptions) => renderCheck(format, result, printOptions);
  const faults = writeReportFiles(render, { options, startedAt });
  await printAndSummarize(render, { options, startedAt }, io);
  const lastFault = faults.pop();
  tellEach(faults, io);
  if (lastFault) throw lastFault;
  if (result.failure) throw result.failure;
  return { code: result.report.failed ? exitCodes.failed : exitCodes.ok };
}

function listReportFiles({ reports, output }: CheckOutput): readonly string[] {
  const files = [...reports.map(({ file }) => file), output];
  return files.filter((file) => file !== undefined);
}

type Render = (format: CheckFormat, options: CheckPrintOptions) => string;

type Printing = { readonly options: CheckReportOptions; readonly startedAt: Date };

// A report file that cannot be written causes only a message: the command ends with `error` anyway.
async function writeFailureReports(error: UserError, printing: Printing, io: Io): Promise<void> {
  const { lockFile, callsFile } = printing.options;
  const failure: CheckFailure = {
    ...makeFailure(error, error.exitCode ?? exitCodes.usage),
    lock_file: lockFile,
    calls_file: callsFile,
    ...(error.sourceLocation ? { place: error.sourceLocation } : {}),
  };
  const render: Render = (format, printOptions) => renderFailure(format, failure, printOptions);
  const faults = writeReportFiles(render, printing);
  await printAndSummarize(render, printing, io);
  tellEach(faults, io);
}

function tellEach(faults: readonly UserError[], io: Io): void {
  const teller = new Teller(io.stderr);
  for (const { message } of faults) teller.tell(message);
}

async function printAndSummarize(
  render: Render,
  { options, startedAt }: Printing,
  io: Io,
): Promise<void> {
  const { reports, hasVerdict } = options;
  const plainOptions = makePrintOptions(startedAt);
  const isForGithub = hasVerdict && isOnGithub(io.env);
  const namedFormat = reports.find(({ file }) => file === undefined)?.format;
  const format = namedFormat ?? (isForGithub ? "github" : "table");
  await printOutput((page) => render(format, { ...plainOptions, ...page }), options, io);
  if (!isForGithub) return;
  const renderSummary = (takenBytes: number): string =>
    fitStepSummary(render("markdown", plainOptions), takenBytes);
  appendStepSummary(io.env, renderSummary, new Teller(io.stderr).tell);
}

// Returns the faults. After a fault, writes the other files anyway: an old report could be taken for a new one.
function writeReportFiles(render: Render, { options, startedAt }: Printing): UserError[] {
  const faults: UserError[] = [];
  for (const { format, file } of options.reports) {
    if (file === undefined) continue;
    const text = render(format, makePrintOptions(startedAt));
    recover(
      () => writeReportFile(file, text),
      (fault) => faults.push(fault),
    );
  }
  return faults;
}

function makePrintOptions(startedAt: Date): CheckPrintOptions {
  const timestamp = startedAt.toISOString().slice(0, 19);
  return { color: false, timestamp, token: randomUUID() };
}

export function isOnGithub(env: Io["env"]): boolean {
  return env["GITHUB_ACTIONS"] === "true";
}

export function appendStepSummary(
  env: Io["env"],
  render: (takenBytes: number) => string,
  tell: Tell,
): void {
  const file = env["GITHUB_STEP_SUMMARY"];
  if (!isOnGithub(env) || file === undefined || file === "") return;
  try {
    const text = render(statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    if (text === "") return;
    const opened = openToWrite(file, constants.O_APPEND);
    if ("fault" in opened) return tell(commandSentences.stepSummaryUnwritable(opened.fault));
    using written = makeDisposableFile(opened.fd);
    writeFileSync(written.fd, text);
  } catch (error) {
    tell(commandSentences.stepSummaryUnwritable(readErrorCode(error)));
  }
}

// GitHub's limit for the summary of one step.
export const stepSummaryBytesMax = 1024 * 1024;

const stepSummaryNoteBytesMax = 200;

export function fitStepSummary(markdown: string, takenBytes: number): string {
  const roomBytes = stepSummaryBytesMax - 1 - takenBytes;
  const encoder = new TextEncoder();
  if (encoder.encode(markdown).length <= roomBytes) return markdown;
  if (roomBytes < stepSummaryNoteBytesMax) return "";
  const lines = markdown.trimEnd().split("\n");
  const shownLines: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    bytes += encoder.encode(line).length + 1;
    if (bytes > roomBytes - stepSummaryNoteBytesMax) break;
    shownLines.push(line);
  }
  // A cut diff would leave its `<details>` open, and hide the note and all that follows.
  const lastDiff = shownLines.findLastIndex((line) => line.startsWith("<details>"));
  if (lastDiff > shownLines.lastIndexOf("</details>")) shownLines.length = lastDiff;
  const omitted = lines.length - shownLines.length;
  const note = `_Cut here, before ${pluralize(omitted, "more line")}, because a step summary is limited to 1 MiB; see the log or use --format json._`;
  return `${[...shownLines, "", note].join("\n")}\n`;
}
