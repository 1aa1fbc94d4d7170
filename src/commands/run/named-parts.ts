import { sentences, UserError } from "#errors.ts";
import type { Calibration } from "#estimators/calibration.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceSource } from "#money/price-book.ts";
import { readNamedPrices } from "../price-options.ts";
import { savesAnswers } from "./budget-options.ts";
import type { RunOptions } from "./options.ts";

/** The options that name files and folders which are opened before the server starts. */
export type PreparedOptions = Pick<
  RunOptions,
  | "lockFile"
  | "log"
  | "isLogSynced"
  | "spillDir"
  | "budgets"
  | "isLockEnforced"
  | "configFaults"
  | "implicit"
  | "isCosted"
  | "priceFile"
  | "calibrationFile"
>;

/** An option that names a file or folder without which a session does not start, unless a config file names it. */
export type NamedPart = "lock" | "spill-dir" | "prices" | "calibration";

/** Readers of the files that a session needs. They change nothing, and throw UserError. */
export type NamedParts = {
  readonly lock: () => Promise<Lock | undefined>;
  readonly prices: () => Promise<PriceSource | undefined>;
  readonly calibration: () => Promise<Calibration | undefined>;
};

/** Each reads the file that its option names; undefined when it names none, or the file is not needed. */
export function namedParts(given: PreparedOptions): NamedParts {
  return {
    lock: () => readLock(given.lockFile),
    prices: () => readNamedPrices(given),
    calibration: () => readCalibration(given.calibrationFile),
  };
}

/** True where a session starts without a file that cannot be used: a config that the command line does not name has it. */
export function isTolerated(
  name: NamedPart,
  { implicit, isLockEnforced }: Pick<PreparedOptions, "implicit" | "isLockEnforced">,
): boolean {
  const isImplicit = implicit.has(name);
  // A lock that the command line enforces is one that it needs.
  return name === "lock" && isLockEnforced
    ? isImplicit && implicit.has("enforce-lock")
    : isImplicit;
}

/** The folder that `--spill-dir` names; undefined when it names none, or nothing is saved. */
export function spillFolderOf(given: PreparedOptions): string | undefined {
  return savesAnswers(given) ? given.spillDir : undefined;
}

async function readCalibration(file: string | undefined): Promise<Calibration | undefined> {
  if (file === undefined) return undefined;
  const { readCalibrationFile } = await import("#storage/calibration-file.ts");
  return readCalibrationFile(file);
}

async function readLock(file: string | undefined): Promise<Lock | undefined> {
  if (file === undefined) return undefined;
  const { readLockFile } = await import("#storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}
