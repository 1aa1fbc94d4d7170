import type { ProblemLines } from "#check/report.ts";
import { findToolLines } from "#lock/lock-lines.ts";
import { readLockText } from "#storage/lock-file.ts";

/** The lines that problems point at: those of the lock, and none without one. Throws UserError. */
export function problemLines(lockFile: string | undefined): ProblemLines {
  const text = lockFile === undefined ? "" : (readLockText(lockFile) ?? "");
  const tools = findToolLines(text);
  return { tool: (name) => tools.get(name), call: () => undefined };
}
