import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Keeps whole results that were too dear for the model: `keep` writes a new 0600 file and returns its
 * path, or undefined when that failed.
 */
export function spillTo(
  folder: string | undefined,
  sessionId: string,
): (text: string) => string | undefined {
  let spilled = 0;
  return (text) => {
    if (folder === undefined) return undefined;
    try {
      const spills = join(folder, "spills");
      mkdirSync(spills, { recursive: true, mode: 0o700 });
      spilled += 1;
      const path = join(spills, `${sessionId}-${spilled}.json`);
      writeFileSync(path, text, { mode: 0o600, flag: "wx" });
      return path;
    } catch {
      return undefined;
    }
  };
}
