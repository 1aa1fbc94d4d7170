import { randomUUID } from "node:crypto";
import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { judgeCalls } from "#check/judge-calls.ts";
import { recordAnswers } from "#check/record-answers.ts";
import { reportCheck, type CheckReport } from "#check/report.ts";
import { refuseEmptyList, refuseOtherEstimator } from "#lock/comparable.ts";
import type { Lock } from "#lock/lock.ts";
import { judgeLock } from "#lock/lock-report.ts";
import { lockServer } from "#lock/lock-server.ts";
import { keepAnswers } from "#lock/recorded-answers.ts";
import { renderCheck } from "#renderers/check.ts";
import { checkDocument } from "#renderers/documents/check.ts";
import { checkFormats } from "#renderers/formats.ts";
import { renderMarkdown } from "#renderers/markdown.ts";
import { fitStepSummary } from "#renderers/step-summary.ts";
import { readLockFile, writeLockFile } from "#storage/lock-file.ts";
import { appendStepSummary, isOnGithub } from "#os/step-summary.ts";
import { mayColor } from "#os/output.ts";
import { sha256 } from "#os/sha256.ts";
import { Teller } from "#text/teller.ts";
import { parseCheckOptions } from "./options.ts";
import type { Arguments } from "../command.ts";
import { optionsAsLocked } from "../lock/command.ts";
import { parseLockOptions } from "../lock/options.ts";
import { playCalls, readPlan } from "./play-calls.ts";
import { serverCommand } from "../visit/options.ts";
import { listingOf } from "../visit/listing.ts";
import { visitServer } from "../visit/visit.ts";
import { choiceOption } from "../values.ts";

/** One verdict for CI: the lock, limits on definitions, and a file of real calls. */
export async function check(args: Arguments, io: Io): Promise<Ending> {
  const command = serverCommand(args, "check");
  const startedAt = new Date();
  const format =
    choiceOption(args.options, "format", checkFormats) ?? (isOnGithub(io.env) ? "github" : "table");
  const { callsFile, budgets, growth, isUpdate } = parseCheckOptions(args.options);
  const { file, limits, failOn } = parseLockOptions(args.options);
  const locked = readLockFile(file);
  if (!locked && args.options["file"] !== undefined && !isUpdate) {
    throw new UserError(sentences.lockMissing(file));
  }
  const plan = callsFile === undefined ? [] : readPlan(callsFile);
  const options = optionsAsLocked(args.options, locked);
  const visited = await visitServer(command, options, io, (server) =>
    playCalls(server, plan, options.timeoutMs),
  );
  if ("interrupted" in visited) return visited.interrupted;
  const { visit } = visited;
  const listing = listingOf(visit);
  refuseEmptyList(listing.tools, locked);
  const terms = { reader: visit.reader, thresholds: options.risk, hash: sha256 };
  const now = lockServer(listing, terms);
  refuseOtherEstimator(file, locked, now);
  const answers = isUpdate ? [] : (locked?.answers ?? []);
  const calls = judgeCalls(visit.done, { records: visit.records, answers, growth, hash: sha256 });
  const question = { lockFile: file, limits, failOn, thresholds: options.risk };
  const report = reportCheck({
    definitions: judgeLock(locked, now, question),
    isLocked: locked !== undefined,
    callsFile: callsFile ?? null,
    calls,
    budgets,
  });
  if (isUpdate && !report.failed) {
    const kept: Lock = locked ?? keepAnswers(now, locked);
    writeLockFile(file, { ...kept, answers: recordAnswers(plan, calls, sha256) });
  }
  const timestamp = startedAt.toISOString().slice(0, 19);
  const shown = { color: mayColor(io.stdout, io.env), timestamp, token: randomUUID() };
  io.stdout.write(renderCheck(format, report, shown));
  summarizeStep(report, io);
  return { code: report.failed ? exitCodes.failed : exitCodes.ok };
}

function summarizeStep(report: CheckReport, io: Io): void {
  const bounded = (takenBytes: number): string =>
    fitStepSummary(renderMarkdown(checkDocument(report)), takenBytes);
  appendStepSummary(io.env, bounded, new Teller(io.stderr).tell);
}
