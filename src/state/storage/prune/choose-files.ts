import type { PrunableFile, PrunableFiles } from "./candidates.ts";

export type Retention = {
  readonly olderThanMs: number | undefined;
  readonly keepBytes: number | undefined;
};

export type ChosenFile = PrunableFile & { readonly reason: "age" | "size" };

/** Oldest first. Files from the future, by a wrong clock, count as the newest. */
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

/** None if all files are old, as the clock may be wrong; otherwise a bounded number. */
export function withoutQuestion(
  chosen: readonly ChosenFile[],
  all: readonly PrunableFile[],
  filesMax: number,
): readonly ChosenFile[] {
  const old = chosen.filter(({ reason }) => reason === "age");
  const isClockDoubtful = old.length > 0 && old.length === all.length;
  return isClockDoubtful ? [] : chosen.slice(0, filesMax);
}
