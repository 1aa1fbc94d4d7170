import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes the whole results that were too large for their budget, each to a new file of mode 0600 below the state
 * folder. The function that it returns takes a text and returns its path, or undefined when it was not written.
 */
export function spillTo(
  folder: string | undefined,
  sessionId: string,
): (text: string) => string | undefined {
  let count = 0;
  return (text) => {
    if (folder === undefined) return undefined;
    try {
      const spills = join(folder, "spills");
      mkdirSync(spills, { recursive: true, mode: 0o700 });
      count += 1;
      const path = join(spills, `${sessionId}-${count}.json`);
      writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return path;
    } catch {
      return undefined;
    }
  };
}
