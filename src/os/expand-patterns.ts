import { statSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { errorCode } from "./error-code.ts";

/**
 * The files that names and glob patterns stand for, each once, sorted within a pattern. A name that exists is
 * never taken for a pattern. Throws UserError for a name or pattern without a file.
 */
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

/** Why there is no file of this name, as a system error code; undefined when there is one. */
function findFault(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return errorCode(error);
  }
}
