import type { PrunableFile, PrunableFiles } from "./candidates.ts";

/** The files to keep. */
export type Retention = {
  /** Files that changed longer ago are removed; undefined for any age. */
  readonly olderThanMs: number | undefined;
  /** The oldest files are removed until the others have at most these bytes; undefined for any size. */
  readonly keepBytes: number | undefined;
};

/** A file to remove, and the rule that it exceeds. */
export type ChosenFile = PrunableFile & { readonly reason: "age" | "size" };

/** The files to remove, oldest first. Files from the future, by a clock that was wrong, are the newest. */
export function chooseFiles(
  { files, liveBytes }: Pick<PrunableFiles, "files" | "liveBytes">,
  { olderThanMs, keepBytes }: Retention,
  nowMs: number,
): readonly ChosenFile[] {
  const oldestFirst = files.toSorted((one, other) => one.changedMs - other.changedMs);
  let left = files.reduce((sum, { bytes }) => sum + bytes, liveBytes);
  return oldestFirst.flatMap((file): ChosenFile[] => {
    const isOld = olderThanMs !== undefined && nowMs - file.changedMs > olderThanMs;
    const isTooMuch = keepBytes !== undefined && left > keepBytes;
    if (!isOld && !isTooMuch) return [];
    left -= file.bytes;
    return [{ ...file, reason: isOld ? "age" : "size" }];
  });
}

/**
 * The part of these files that may be removed without a question: none where all are old, for then the clock may be
 * wrong, and a bounded number.
 */
export function withoutQuestion(
  chosen: readonly ChosenFile[],
  all: readonly PrunableFile[],
  filesMax: number,
): readonly ChosenFile[] {
  const old = chosen.filter(({ reason }) => reason === "age");
  const isClockDoubtful = old.length > 0 && old.length === all.length;
  return isClockDoubtful ? [] : chosen.slice(0, filesMax);
}
