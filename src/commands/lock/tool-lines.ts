import type { LineOfTool } from "#check/report.ts";
import { findToolLines } from "#lock/lock-lines.ts";
import { readLockText } from "#state/storage/lock-file.ts";

/** No lines without a lock. Throws UserError when it cannot be read. */
export function toolLines(lockFile: string | undefined): LineOfTool {
  const text = lockFile === undefined ? "" : (readLockText(lockFile) ?? "");
  const lines = findToolLines(text);
  return (name) => lines.get(name);
}
