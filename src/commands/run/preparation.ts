import { sentences, UserError } from "#errors.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceSource } from "#money/price-book.ts";
import { namesFile } from "#sinks/destinations.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";
import { readNamedPrices } from "../price-options.ts";
import { savesAnswers } from "./budget-options.ts";
import type { RunOptions } from "./options.ts";

/** The parts of a session that are opened before the server starts: their mistakes are the user's. */
export type Preparation = {
  readonly lock: Lock | undefined;
  /** The file that `--log` names, open; undefined when it names none. */
  readonly namedFile: OpenRecordFile | undefined;
  /** The folder that `--spill-dir` names, absolute; undefined when it names none, or nothing is saved. */
  readonly spillFolder: string | undefined;
  /** Those of the file that `--prices` names; undefined when it names none, or no costs are shown. */
  readonly namedPrices: PriceSource | undefined;
};

type PreparedOptions = Pick<
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
>;

/**
 * Opens the files and folders that the user named; loads only what they need. Throws UserError for a lock that is
 * missing or cannot be read, and for a folder that cannot be written to. Where a config file that the command line does
 * not name has them, the failure is reported instead, and the options that are returned are without them.
 */
export async function prepareSession<Options extends PreparedOptions>(
  given: Options,
  tell: Tell,
): Promise<{ readonly preparation: Preparation; readonly options: Options }> {
  const { lockFile, spillDir, implicit, isLockEnforced } = given;
  const lost: string[] = [];
  const attempt = <Result>(
    name: string,
    isTolerated: boolean,
    open: () => Promise<Result>,
  ): Promise<Result | undefined> =>
    opened(open, isTolerated, (failure) => {
      lost.push(name.replaceAll("-", "_"));
      tell(sentences.configOptionIgnored(name, failure));
    });
  const isLockImplicit = implicit.has("lock") && (!isLockEnforced || implicit.has("enforce-lock"));
  const lock = await attempt("lock", isLockImplicit, () => readLock(lockFile));
  const spillFolder = await attempt("spill-dir", implicit.has("spill-dir"), () =>
    openFolder(savesAnswers(given) ? spillDir : undefined),
  );
  const namedPrices = await attempt("prices", implicit.has("prices"), () => readNamedPrices(given));
  const options = {
    ...given,
    isLockEnforced: isLockEnforced && lock !== undefined,
    configFaults: [...given.configFaults, ...lost],
  };
  const namedFile = await openNamedFile(options, tell);
  return { preparation: { lock, spillFolder, namedPrices, namedFile }, options };
}

/** The result; undefined when it fails and `isTolerated`, and then `failed` gets the sentence. */
async function opened<Result>(
  open: () => Promise<Result>,
  isTolerated: boolean,
  failed: (sentence: string) => void,
): Promise<Result | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!isTolerated || !(error instanceof UserError)) throw error;
    failed(error.message);
    return undefined;
  }
}

async function openNamedFile(
  { log, isLogSynced }: PreparedOptions,
  tell: Tell,
): Promise<OpenRecordFile | undefined> {
  if (log === undefined || !namesFile(log)) return undefined;
  const { namedRecordFile } = await import("./record-target.ts");
  const file = namedRecordFile(log, isLogSynced, tell);
  return () => file;
}

async function openFolder(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const { openSpillFolder } = await import("#storage/spill-file.ts");
  return openSpillFolder(folder);
}

async function readLock(file: string | undefined): Promise<Lock | undefined> {
  if (file === undefined) return undefined;
  const { readLockFile } = await import("#storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}
