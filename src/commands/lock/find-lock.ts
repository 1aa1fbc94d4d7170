import { UserError } from "#kit/errors.ts";
import type { BaseLock } from "#lock/lock-report.ts";
import { deriveLock, type Lock, findToolLines } from "#lock/lock.ts";
import type { ProfileContext } from "#lock/profile.ts";
import { readLockFile, readLockText } from "#state/storage/lock-file.ts";
import { readBaseLock } from "#state/storage/base-lock.ts";
import type { ComparisonOptions } from "./options.ts";
import { isEstimatorId } from "#tokens/estimators/ids.ts";
import type { ServerOptions } from "../connection-options.ts";
import type { FindToolLine } from "#check/report.ts";
import { lockSentences } from "../sentences.ts";

export type FoundLocks = {
  readonly locked: Lock | undefined;
  readonly base: BaseLock | undefined;
};

// If `replaceable`, the lock may contain conflict markers.
export type LockNeed = "required" | "unused" | "optional" | "replaceable";

// Throws UserError if a required lock is missing: a change that deletes the lock must fail the check.
export async function findLocks(
  { file, base: named }: Pick<ComparisonOptions, "file" | "base">,
  need: LockNeed,
  describeMissing: (file: string) => string,
): Promise<FoundLocks> {
  const base = named && { name: named.name, lock: await readBaseLock(named, file) };
  const locked = need === "unused" ? undefined : readUnlessConflicted(file, need);
  if (locked || need !== "required") return { locked, base };
  throw new UserError(
    base?.lock ? lockSentences.lockDeleted(file, base.name) : describeMissing(file),
  );
}

function readUnlessConflicted(file: string, need: LockNeed): Lock | undefined {
  if (!/^(?:<{7} |>{7} )/m.test(readLockText(file) ?? "")) return readLockFile(file);
  if (need === "replaceable") return undefined;
  throw new UserError(lockSentences.lockConflicted(file));
}

export function recountBase(
  base: BaseLock | undefined,
  context: ProfileContext,
): BaseLock | undefined {
  if (!base?.lock) return base;
  return { name: base.name, lock: deriveLock(base.lock, context) };
}

export function useLockedEstimator<Options extends Pick<ServerOptions, "reading">>(
  options: Options,
  locked: Lock | undefined,
): Options {
  if (!locked) return options;
  const { reading } = options;
  const isAutomatic =
    reading.tokenizer === "auto" && reading.model === undefined && reading.client === undefined;
  const { estimator } = locked;
  const tokenizer = isAutomatic && isEstimatorId(estimator) ? estimator : reading.tokenizer;
  return { ...options, reading: { ...reading, tokenizer } };
}

export function indexToolLines(lockFile: string | undefined): FindToolLine {
  const text = lockFile === undefined ? "" : (readLockText(lockFile) ?? "");
  const lines = findToolLines(text);
  return (name) => lines.get(name);
}
