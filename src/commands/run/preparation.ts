import { UserError } from "#kit/errors.ts";
import { type Budget, listSpecs } from "#meter/budgets/budget.ts";
import type { Calibration } from "#tokens/estimators/user-calibration.ts";
import type { Lock } from "#lock/lock.ts";
import type { NamedPrices } from "#records/money/price-book.ts";
import { type CallPrices } from "#meter/budgets/gate-options.ts";
import type { OpenRecordFile } from "#state/sinks/record-queue.ts";
import type { Tell } from "#kit/text/teller.ts";
import { runSentences } from "./sentences.ts";
import { findBudgetPrices, readNamedPrices } from "../price-options.ts";
import { savesAnswers } from "./budget-options.ts";
import type { MeteringOptions } from "./options.ts";
import { commandSentences } from "../sentences.ts";

export type Preparation = {
  readonly lock: Lock | undefined;
  readonly namedFile: OpenRecordFile | undefined;
  readonly spillFolder: string | undefined;
  readonly namedPrices: NamedPrices | undefined;
  readonly callPrices: CallPrices | undefined;
  readonly calibration: Calibration | undefined;
};

// Throws UserError for an unreadable file, an unwritable folder, or a budget in money without a price. Faults
// that `isFaultTolerated` or `priceBudgets` tolerates are only reported.
export async function prepareSession<Options extends MeteringOptions>(
  requested: Options,
  tell: Tell,
): Promise<{ readonly preparation: Preparation; readonly options: Options }> {
  for (const spec of requested.outrankedBudgets) tell(runSentences.budgetOutranked(spec));
  const ignoredOptions: string[] = [];
  const readers = makeFileReaders(requested);
  const openOrIgnore = <Result>(
    name: PreparedOption,
    open: () => Promise<Result>,
  ): Promise<Result | undefined> =>
    tryOpen(open, isFaultTolerated(name, requested), (failure) => {
      ignoredOptions.push(name.replaceAll("-", "_"));
      tell(runSentences.configOptionIgnored(name, failure));
    });
  const lock = await openOrIgnore("lock", readers.lock);
  const spillFolder = await openOrIgnore("spill-dir", () =>
    openFolder(chooseSpillFolder(requested)),
  );
  const namedPrices = await openOrIgnore("prices", readers.prices);
  const calibration = await openOrIgnore("calibration", readers.calibration);
  const { callPrices, unpriced } = await priceBudgets(requested, namedPrices);
  if (unpriced.length > 0) {
    if (!isPriceOverridden(requested)) ignoredOptions.push("budgets");
    tell(runSentences.budgetIgnored(listSpecs(unpriced), requested.model));
  }
  const options = {
    ...requested,
    budgets: requested.budgets.filter((budget) => !unpriced.includes(budget)),
    isLockEnforced: requested.isLockEnforced && lock !== undefined,
    configFaults: [...requested.configFaults, ...ignoredOptions],
  };
  const namedFile = await openLogFile(options, tell);
  const preparation = { lock, spillFolder, namedPrices, callPrices, calibration, namedFile };
  return { preparation, options };
}

function needsPrices({ isCosted, budgets }: Pick<MeteringOptions, "isCosted" | "budgets">) {
  return isCosted || budgets.some(({ unit }) => unit === "dollars");
}

// Throws UserError for a budget in money without a price. Tolerates budgets of the policy, and budgets of a config file
// that --config does not name. Tolerates every budget if the policy overrides the model or the prices.
async function priceBudgets(
  options: MeteringOptions,
  namedPrices: NamedPrices | undefined,
): Promise<{ callPrices: CallPrices | undefined; unpriced: readonly Budget[] }> {
  if (!options.budgets.some(({ unit }) => unit === "dollars"))
    return { callPrices: undefined, unpriced: [] };
  const { callPrices, unpriced } = await findBudgetPrices(options, namedPrices);
  const { implicit, lockedBudgets: locked, model } = options;
  const isTolerable = (budget: Budget): boolean =>
    locked.includes(budget) || implicit.has("budgets") || isPriceOverridden(options);
  const rejectedBudgets = unpriced.filter((budget) => !isTolerable(budget));
  if (rejectedBudgets.length > 0)
    throw new UserError(runSentences.budgetUnpriced(listSpecs(rejectedBudgets), model));
  return { callPrices, unpriced };
}

// If the policy overrides the model or the prices, the user cannot supply a missing price. So a missing price
// must not stop a server.
export function isPriceOverridden({ overridden }: Pick<MeteringOptions, "overridden">): boolean {
  return overridden.includes("model") || overridden.includes("prices");
}

export async function rejectUnpricedBudgets(options: MeteringOptions): Promise<void> {
  if (!options.budgets.some(({ unit }) => unit === "dollars")) return;
  const { prices } = makeFileReaders(options);
  const namedPrices = await tryOpen(prices, isFaultTolerated("prices", options), () => {});
  await priceBudgets(options, namedPrices);
}

async function tryOpen<Result>(
  open: () => Promise<Result>,
  canIgnore: boolean,
  reportFailure: (sentence: string) => void,
): Promise<Result | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!canIgnore || !(error instanceof UserError)) throw error;
    reportFailure(error.message);
    return undefined;
  }
}

async function openLogFile(
  { log, isLogSynced }: MeteringOptions,
  tell: Tell,
): Promise<OpenRecordFile | undefined> {
  if (log === undefined || !namesFile(log)) return undefined;
  const { openNamedRecordFile } = await import("./open-record-file.ts");
  const file = openNamedRecordFile(log, isLogSynced, tell);
  return () => file;
}

async function openFolder(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const { openSpillFolder } = await import("#state/storage/spill-file.ts");
  return openSpillFolder(folder);
}

export type PreparedOption = "lock" | "spill-dir" | "prices" | "calibration";

type FileReaders = {
  readonly lock: () => Promise<Lock | undefined>;
  readonly prices: () => Promise<NamedPrices | undefined>;
  readonly calibration: () => Promise<Calibration | undefined>;
};

export function makeFileReaders(options: MeteringOptions): FileReaders {
  return {
    lock: () => readLock(options.lockFile),
    prices: () => readNamedPrices({ ...options, isCosted: needsPrices(options) }),
    calibration: () => readCalibration(options.calibrationFile),
  };
}

// A config file is implicit if --config does not name it. A fault in an option from an implicit file must not stop a
// server. But if --enforce-lock comes from another source, an unreadable lock does stop the server.
export function isFaultTolerated(
  name: PreparedOption,
  { implicit, isLockEnforced }: Pick<MeteringOptions, "implicit" | "isLockEnforced">,
): boolean {
  const isImplicit = implicit.has(name);
  return name === "lock" && isLockEnforced
    ? isImplicit && implicit.has("enforce-lock")
    : isImplicit;
}

export function chooseSpillFolder(options: MeteringOptions): string | undefined {
  return savesAnswers(options) ? options.spillDir : undefined;
}

async function readCalibration(file: string | undefined): Promise<Calibration | undefined> {
  if (file === undefined) return undefined;
  const { readCalibrationFile } = await import("#state/storage/price-file.ts");
  return readCalibrationFile(file);
}

async function readLock(file: string | undefined): Promise<Lock | undefined> {
  if (file === undefined) return undefined;
  const { readLockFile } = await import("#state/storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(commandSentences.lockMissing(file));
  return lock;
}

// `createSink` knows these words as well, but is loaded later.
const logKeywords: ReadonlySet<string> = new Set(["-", "off"]);

export function namesFile(log: string): boolean {
  return !logKeywords.has(log);
}
