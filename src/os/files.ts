import { statSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";
import { codeOf } from "./system-error.ts";

/** Files by name or glob, sorted within a glob, each once. Throws UserError for what matches nothing. */
export async function expandFiles(patterns: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const problem = problemWith(pattern);
    if (problem === undefined) {
      files.add(pattern);
      continue;
    }
    if (!/[*?[{]/.test(pattern)) throw new UserError(sentences.fileUnreadable(pattern, problem));
    const glob = new Bun.Glob(pattern);
    const found = await Array.fromAsync(
      glob.scan({ absolute: pattern.startsWith("/"), dot: true }),
    );
    if (found.length === 0) throw new UserError(sentences.globEmpty(pattern));
    for (const file of found.toSorted()) files.add(file);
  }
  return [...files];
}

/** Why there is no such file; undefined when there is one. */
function problemWith(path: string): string | undefined {
  try {
    statSync(path);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}
