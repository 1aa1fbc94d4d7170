import { sentences, UserError } from "#errors.ts";
import type { Calibration } from "#estimators/calibration.ts";
import type { Lock } from "#lock/lock.ts";
import type { PriceSource } from "#money/price-book.ts";
import { namesFile } from "#sinks/destinations.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";
import {
  isTolerated,
  type NamedPart,
  namedParts,
  type PreparedOptions,
  spillFolderOf,
} from "./named-parts.ts";

/** The parts of a session that are opened before the server starts: their mistakes are the user's. */
export type Preparation = {
  readonly lock: Lock | undefined;
  /** The file that `--log` names, open; undefined when it names none. */
  readonly namedFile: OpenRecordFile | undefined;
  /** The folder that `--spill-dir` names, absolute; undefined when it names none, or nothing is saved. */
  readonly spillFolder: string | undefined;
  /** Those of the file that `--prices` names; undefined when it names none, or no costs are shown. */
  readonly namedPrices: PriceSource | undefined;
  /** The scales of the file that `--calibration` names; undefined when it names none. */
  readonly calibration: Calibration | undefined;
};

/**
 * Opens the files and folders that the user named; loads only what they need. Throws UserError for a lock that is
 * missing or cannot be read, and for a folder that cannot be written to. Where a config file that the command line does
 * not name has them, the failure is reported instead, and the options that are returned are without them.
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
      tell(sentences.configOptionIgnored(name, failure));
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

/** The result; undefined when it fails and `isLeftOut`, and then `failed` gets the sentence. */
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
  const { openSpillFolder } = await import("#storage/spill-file.ts");
  return openSpillFolder(folder);
}
