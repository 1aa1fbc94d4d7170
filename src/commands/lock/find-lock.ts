import { sentences, UserError } from "#errors.ts";
import type { BaseLock } from "#lock/lock-report.ts";
import { deriveLock } from "#lock/lock-server.ts";
import type { Lock } from "#lock/lock.ts";
import type { ProfileTerms } from "#lock/profile.ts";
import { readBaseLock } from "#storage/base-lock.ts";
import { readLockFile } from "#storage/lock-file.ts";
import type { ComparisonOptions } from "./options.ts";

/** The locks that a server is compared with. */
export type FoundLocks = {
  /** Undefined when there is none, and none is required. */
  readonly locked: Lock | undefined;
  /** Undefined when no base is named. */
  readonly base: BaseLock | undefined;
};

/** Whether the lock must be there, is not read, or may be missing because it is written. */
export type LockNeed = "required" | "unused" | "optional";

/** A sentence for a lock that is not there. */
export type MissingLock = (file: string) => string;

/**
 * Reads the lock and the lock of the base. Throws UserError when a required lock is missing: a deleted lock must not
 * pass, and is called deleted where the base has it.
 */
export function findLocks(
  { file, base: named }: Pick<ComparisonOptions, "file" | "base">,
  need: LockNeed,
  missing: MissingLock,
): FoundLocks {
  const base = named && { name: named.name, lock: readBaseLock(named, file) };
  const locked = need === "unused" ? undefined : readLockFile(file);
  if (locked || need !== "required") return { locked, base };
  throw new UserError(base?.lock ? sentences.lockDeleted(file, base.name) : missing(file));
}

/** The base in the tokens of this run. */
export function recountBase(base: BaseLock | undefined, terms: ProfileTerms): BaseLock | undefined {
  if (!base?.lock) return base;
  return { name: base.name, lock: deriveLock(base.lock, base.name, terms) };
}
