import { UserError } from "#kit/errors.ts";
import type { Calibration } from "#tokens/estimators/calibration.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceSource } from "#records/money/price-book.ts";
import { readNamedPrices } from "../price-options.ts";
import { savesAnswers } from "./budget-options.ts";
import type { RunOptions } from "./options.ts";
import { commandSentences } from "../sentences.ts";

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

/** A session does not start without its file or folder, unless a config file names it. */
export type NamedPart = "lock" | "spill-dir" | "prices" | "calibration";

export type NamedParts = {
  readonly lock: () => Promise<Lock | undefined>;
  readonly prices: () => Promise<PriceSource | undefined>;
  readonly calibration: () => Promise<Calibration | undefined>;
};

/** Each returns undefined when its option names no file, or the file is not needed. */
export function namedParts(given: PreparedOptions): NamedParts {
  return {
    lock: () => readLock(given.lockFile),
    prices: () => readNamedPrices(given),
    calibration: () => readCalibration(given.calibrationFile),
  };
}

/** A session starts without an unusable file if a config that the command line does not name has it. */
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

export function spillFolderOf(given: PreparedOptions): string | undefined {
  return savesAnswers(given) ? given.spillDir : undefined;
}

async function readCalibration(file: string | undefined): Promise<Calibration | undefined> {
  if (file === undefined) return undefined;
  const { readCalibrationFile } = await import("#state/storage/calibration-file.ts");
  return readCalibrationFile(file);
}

async function readLock(file: string | undefined): Promise<Lock | undefined> {
  if (file === undefined) return undefined;
  const { readLockFile } = await import("#state/storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(commandSentences.lockMissing(file));
  return lock;
}
