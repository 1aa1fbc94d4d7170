import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { isEstimatorId } from "#estimators/index.ts";
import { refuseEmptyList, refuseOtherEstimator } from "#lock/comparable.ts";
import type { Lock } from "#lock/lock.ts";
import { lockServer } from "#lock/lock-server.ts";
import { keepAnswers } from "#lock/recorded-answers.ts";
import { judgeLock } from "#lock/lock-report.ts";
import { lockDocument } from "#renderers/documents/lock.ts";
import { documentFormats } from "#renderers/formats.ts";
import { render } from "#renderers/index.ts";
import { readLockFile, writeLockFile } from "#storage/lock-file.ts";
import { mayColor } from "#os/output.ts";
import { sha256 } from "#os/sha256.ts";
import type { Arguments, RawOptions } from "../command.ts";
import { parseLockOptions } from "./options.ts";
import { listingOf } from "../visit/listing.ts";
import { parseServerOptions, serverCommand, type ServerOptions } from "../visit/options.ts";
import { visitServer } from "../visit/visit.ts";
import { choiceOption, flagOption } from "../values.ts";

/** Writes down what a server lists and costs, or holds the server against what was written down. */
export async function lock(args: Arguments, io: Io): Promise<Ending> {
  const command = serverCommand(args, "lock");
  const isCheck = flagOption(args.options, "check");
  const format = choiceOption(args.options, "format", documentFormats) ?? "table";
  const { file, limits, failOn } = parseLockOptions(args.options);
  const locked = readLockFile(file);
  if (isCheck && !locked) throw new UserError(sentences.lockMissing(file));
  const options = isCheck
    ? optionsAsLocked(args.options, locked)
    : parseServerOptions(args.options);
  const visited = await visitServer(command, options, io, async () => undefined);
  if ("interrupted" in visited) return visited.interrupted;
  const listing = listingOf(visited.visit);
  refuseEmptyList(listing.tools, locked);
  const { reader } = visited.visit;
  const now = lockServer(listing, { reader, thresholds: options.risk, hash: sha256 });
  const comparable = locked && (isCheck || locked.estimator === now.estimator) ? locked : undefined;
  if (isCheck) refuseOtherEstimator(file, locked, now);
  const question = { lockFile: file, limits, failOn, thresholds: options.risk };
  const report = judgeLock(comparable, now, question);
  const isRefused = isCheck ? report.failed : report.over_limit.length > 0;
  const isWritten = !isCheck && !isRefused && writeLockFile(file, keepAnswers(now, locked));
  const told = { ...report, failed: isRefused, lock_written: isWritten };
  const printout = { document: lockDocument(told), data: told };
  io.stdout.write(render(format, printout, { color: mayColor(io.stdout, io.env) }));
  return { code: isRefused ? exitCodes.failed : exitCodes.ok };
}

/** Server options that count as the lock was counted, where the user says nothing else. */
export function optionsAsLocked(raw: RawOptions, locked: Lock | undefined): ServerOptions {
  const options = parseServerOptions(raw);
  if (!locked) return options;
  const isSilent =
    options.tokenizer === "auto" && options.model === undefined && options.client === undefined;
  const { estimator } = locked;
  return {
    ...options,
    risk: raw["risk"] === undefined ? locked.risk_thresholds : options.risk,
    tokenizer: isSilent && isEstimatorId(estimator) ? estimator : options.tokenizer,
  };
}
