import type { ChosenFile, PrunableFile, Retention } from "./choose-files.ts";
import { makeDisposableFile } from "#kit/os/file-errors.ts";
import { attempt } from "#kit/errors.ts";
import { constants, fstatSync, futimesSync, openSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "#kit/os/run-program.ts";
import { findCurrentExecutable } from "#kit/os/current-executable.ts";

export const automaticPruneIntervalMs = 20 * 3_600_000;

/** Starts `mcp-meter prune` in the background, unless a prune started recently. Ignores failures. */
export async function startPrune(
  { olderThanMs, keepBytes }: Retention,
  stateFolder: string | undefined,
  executable: string = findCurrentExecutable(),
): Promise<void> {
  if (stateFolder === undefined) return;
  const rules = [
    ...(olderThanMs === undefined ? [] : ["--older-than", formatRetentionAge(olderThanMs)]),
    ...(keepBytes === undefined ? [] : ["--keep-bytes", String(keepBytes)]),
  ];
  try {
    if (!markIfDue(stateFolder)) return;
    const words = ["prune", ...rules, "--automatic", "--yes"];
    await startProgram([executable, ...words], { detached: true });
  } catch {
    // The folder is missing or read-only, or no process can start: a later session tries again.
  }
}

const hourMs = 3_600_000;
const ageUnits = { w: 7 * 24 * hourMs, d: 24 * hourMs, h: hourMs } as const;

// In the largest unit that is exact, because an option takes no fraction and at most six digits.
function formatRetentionAge(ms: number): string {
  const [unit, unitMs] = Object.entries(ageUnits).find(([, each]) => ms % each === 0) ?? [
    "s",
    1000,
  ];
  return `${ms / unitMs}${unit}`;
}

/** False if `prune.lock` was touched recently. A future time is ignored: a wrong clock set it. Throws system errors. */
function markIfDue(stateFolder: string): boolean {
  const { O_RDWR, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
  const path = join(stateFolder, "prune.lock");
  const flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK;
  const createdFd = attempt(() => openSync(path, flags | O_CREAT | O_EXCL, 0o600));
  using file = makeDisposableFile(createdFd ?? openSync(path, flags));
  const nowMs = Date.now();
  const ageMs = nowMs - fstatSync(file.fd).mtimeMs;
  if (createdFd === undefined && ageMs >= 0 && ageMs < automaticPruneIntervalMs) return false;
  futimesSync(file.fd, nowMs / 1000, nowMs / 1000);
  return true;
}

// Removing 1,000 files takes about a second.
export const automaticFilesMax = 1_000;

// Chooses nothing if all files are old: the clock may be wrong.
export function limitAutomaticPrune(
  chosen: readonly ChosenFile[],
  files: readonly PrunableFile[],
  filesMax: number,
): readonly ChosenFile[] {
  const old = chosen.filter(({ reason }) => reason === "age");
  const isClockDoubtful = old.length > 0 && old.length === files.length;
  return isClockDoubtful ? [] : chosen.slice(0, filesMax);
}
