import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { isEstimatorId } from "#estimators/index.ts";
import { priceCanonical } from "#cost/canonical-definitions.ts";
import { lockOf, type Lock } from "#lock/lock.ts";
import { judgeLock } from "#lock/lock-report.ts";
import { renderLock } from "#renderers/lock.ts";
import { readLockFile, writeLockFile } from "#storage/lock-file.ts";
import { mayColor } from "#os/output.ts";
import { sha256 } from "#os/sha256.ts";
import type { Arguments, RawOptions } from "../command.ts";
import { lockFormats, parseLockOptions } from "./options.ts";
import { profileOf } from "../profile/command.ts";
import { parseServerOptions, serverCommand, type ServerOptions } from "../visit/options.ts";
import { visitServer, type Visit } from "../visit/visit.ts";
import { choiceOption, flagOption } from "../values.ts";

/** Writes down what a server lists and costs, or holds the server against what was written down. */
export async function lock(args: Arguments, io: Io): Promise<Ending> {
  const command = serverCommand(args, "lock");
  const isCheck = flagOption(args.options, "check");
  const format = choiceOption(args.options, "format", lockFormats) ?? "table";
  const { file, limits, failOn } = parseLockOptions(args.options);
  const locked = readLockFile(file);
  if (isCheck && !locked) throw new UserError(sentences.lockMissing(file));
  const options = isCheck
    ? optionsAsLocked(args.options, locked)
    : parseServerOptions(args.options);
  const visited = await visitServer(command, options, io, async () => undefined);
  if ("interrupted" in visited) return visited.interrupted;
  const now = lockOfVisit(visited.visit, options, locked);
  const comparable = locked && (isCheck || locked.estimator === now.estimator) ? locked : undefined;
  if (isCheck) checkEstimator(file, locked, now);
  const question = { lockFile: file, limits, failOn, thresholds: options.risk };
  const report = judgeLock(comparable, now, question);
  const isRefused = isCheck ? report.failed : report.over_limit.length > 0;
  const isWritten = !isCheck && !isRefused && writeLockFile(file, keepAnswers(now, locked));
  const told = { ...report, failed: isRefused, lock_written: isWritten };
  io.stdout.write(renderLock(format, told, { color: mayColor(io.stdout, io.env) }));
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

/** Throws UserError when the numbers of two locks cannot be compared. */
export function checkEstimator(file: string, locked: Lock | undefined, now: Lock): void {
  if (!locked || locked.estimator === now.estimator) return;
  throw new UserError(sentences.lockEstimator(file, locked.estimator, now.estimator));
}

/** The lock a visit makes. Throws UserError, exit code 3, when an empty list stands against a lock with tools. */
export function lockOfVisit<T>(
  visit: Visit<T>,
  options: ServerOptions,
  locked: Lock | undefined,
): Lock {
  const { tools } = visit.offer;
  if (tools.length === 0 && locked && locked.tools.length > 0) {
    throw new UserError(sentences.listEmpty(locked.tools.length), exitCodes.serverUnreachable);
  }
  const priced = priceCanonical(tools, visit.server.instructions, visit.reader, sha256);
  return lockOf(profileOf(visit, options.risk, priced), tools, sha256);
}

/** Recorded answers stay as long as they are counted in the same way. */
export function keepAnswers(now: Lock, locked: Lock | undefined): Lock {
  if (!locked?.answers || locked.estimator !== now.estimator) return now;
  return { ...now, answers: locked.answers };
}
