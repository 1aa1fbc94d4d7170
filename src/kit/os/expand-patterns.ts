import { statSync } from "node:fs";
import { sentences, UserError } from "../errors.ts";
import { errorCode } from "./file-errors.ts";

/** Each once, sorted per pattern; an existing name is not a pattern. Throws UserError for a name or pattern without a file. */
export async function expandPatterns(patterns: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const fault = findFault(pattern);
    if (fault === undefined) {
      files.add(pattern);
      continue;
    }
    if (!/[*?[{]/.test(pattern)) throw new UserError(sentences.fileUnreadable(pattern, fault));
    const matches = new Bun.Glob(pattern).scan({ absolute: pattern.startsWith("/"), dot: true });
    const found = await Array.fromAsync(matches);
    if (found.length === 0) throw new UserError(sentences.globEmpty(pattern));
    for (const file of found.toSorted()) files.add(file);
  }
  return [...files];
}

function findFault(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}
