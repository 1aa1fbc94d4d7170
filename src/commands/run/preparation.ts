import { sentences, UserError } from "#errors.ts";
import type { Lock } from "#lock/lock.ts";
import { namesFile } from "#sinks/destinations.ts";
import type { OpenRecordFile } from "#sinks/file.ts";
import type { Tell } from "#text/teller.ts";
import type { RunOptions } from "./options.ts";

/** The parts of a session that are opened before the server starts: their mistakes are the user's. */
export type Preparation = {
  readonly lock: Lock | undefined;
  /** The file that `--log` names, open; undefined when it names none. */
  readonly namedFile: OpenRecordFile | undefined;
};

/**
 * Opens the files that the user named; loads only what they need. Throws UserError for a lock that is missing or cannot
 * be read.
 */
export async function prepareSession(
  { lockFile, log, isLogSynced }: Pick<RunOptions, "lockFile" | "log" | "isLogSynced">,
  tell: Tell,
): Promise<Preparation> {
  const lock = lockFile === undefined ? undefined : await readLock(lockFile);
  if (log === undefined || !namesFile(log)) return { lock, namedFile: undefined };
  const { namedRecordFile } = await import("./record-target.ts");
  const file = namedRecordFile(log, isLogSynced, tell);
  return { lock, namedFile: () => file };
}

async function readLock(file: string): Promise<Lock> {
  const { readLockFile } = await import("#storage/lock-file.ts");
  const lock = readLockFile(file);
  if (!lock) throw new UserError(sentences.lockMissing(file));
  return lock;
}
