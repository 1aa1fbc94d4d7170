import { existsSync } from "node:fs";
import { meterWord } from "#clients/meter-word.ts";

/** The absolute path in a command where no file is; a path with a variable is the client's to resolve. */
export function lostMeter(command: readonly string[]): string | undefined {
  const word = meterWord(command);
  const isWhole = word !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(word) && !word.includes("$");
  return isWhole && !existsSync(word) ? word : undefined;
}
