import { sentences, UserError } from "#errors.ts";
import type { Lock } from "#lock/lock.ts";
import { namesFile } from "#sinks/destinations.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";
import { savesAnswers } from "./budget-options.ts";
import type { RunOptions } from "./options.ts";

/** The parts of a session that are opened before the server starts: their mistakes are the user's. */
export type Preparation = {
  readonly lock: Lock | undefined;
  /** The file that `--log` names, open; undefined when it names none. */
  readonly namedFile: OpenRecordFile | undefined;
  /** The folder that `--spill-dir` names, absolute; undefined when it names none, or nothing is saved. */
  readonly spillFolder: string | undefined;
};

type PreparedOptions = Pick<
  RunOptions,
  "lockFile" | "log" | "isLogSynced" | "spillDir" | "budgets"
>;

/**
 * Opens the files and folders that the user named; loads only what they need. Throws UserError for a lock that is
 * missing or cannot be read, and for a folder that cannot be written to.
 */
export async function prepareSession(options: PreparedOptions, tell: Tell): Promise<Preparation> {
  const { lockFile, spillDir } = options;
  const lock = lockFile === undefined ? undefined : await readLock(lockFile);
  const isSaving = spillDir !== undefined && savesAnswers(options);
  const spillFolder = isSaving ? await openFolder(spillDir) : undefined;
  return { lock, spillFolder, namedFile: await openNamedFile(options, tell) };
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

async function openFolder(folder: string): Promise<string> {
  const { openSpillFolder } = await import("#storage/spill-file.ts");
  return openSpillFolder(folder);
}

async function readLock(file: string): Promise<Lock> {
  const { readLockFile } = await import("#storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}
