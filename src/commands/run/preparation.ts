import { UserError } from "#kit/errors.ts";
import type { Calibration } from "#tokens/estimators/calibration.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceSource } from "#records/money/price-book.ts";
import { namesFile } from "#state/sinks/destinations.ts";
import type { OpenRecordFile } from "#state/sinks/file.ts";
import type { Tell } from "#kit/text/teller.ts";
import {
  isTolerated,
  type NamedPart,
  namedParts,
  type PreparedOptions,
  spillFolderOf,
} from "./named-parts.ts";
import { runSentences } from "./sentences.ts";

/** Opened before the server starts: their mistakes are the user's. */
export type Preparation = {
  readonly lock: Lock | undefined;
  readonly namedFile: OpenRecordFile | undefined;
  readonly spillFolder: string | undefined;
  readonly namedPrices: PriceSource | undefined;
  readonly calibration: Calibration | undefined;
};

/**
 * Loads only the needed modules. Throws UserError for an unreadable lock and an unwritable folder. If a config that the
 * command line does not name has them, reports that and returns the options without them.
 */
export async function prepareSession<Options extends PreparedOptions>(
  given: Options,
  tell: Tell,
): Promise<{ readonly preparation: Preparation; readonly options: Options }> {
  const lost: string[] = [];
  const parts = namedParts(given);
  const attempt = <Result>(
    name: NamedPart,
    open: () => Promise<Result>,
  ): Promise<Result | undefined> =>
    opened(open, isTolerated(name, given), (failure) => {
      lost.push(name.replaceAll("-", "_"));
      tell(runSentences.configOptionIgnored(name, failure));
    });
  const lock = await attempt("lock", parts.lock);
  const spillFolder = await attempt("spill-dir", () => openFolder(spillFolderOf(given)));
  const namedPrices = await attempt("prices", parts.prices);
  const calibration = await attempt("calibration", parts.calibration);
  const options = {
    ...given,
    isLockEnforced: given.isLockEnforced && lock !== undefined,
    configFaults: [...given.configFaults, ...lost],
  };
  const namedFile = await openNamedFile(options, tell);
  return { preparation: { lock, spillFolder, namedPrices, calibration, namedFile }, options };
}

async function opened<Result>(
  open: () => Promise<Result>,
  isLeftOut: boolean,
  failed: (sentence: string) => void,
): Promise<Result | undefined> {
  try {
    return await open();
  } catch (error) {
    if (!isLeftOut || !(error instanceof UserError)) throw error;
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
  const { openSpillFolder } = await import("#state/storage/spill-file.ts");
  return openSpillFolder(folder);
}
