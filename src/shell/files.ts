import { statSync } from "node:fs";
import { sentences, UserError } from "#errors.ts";

/** Files by name or glob, sorted within a glob, each once. Throws UserError for what matches nothing. */
export async function expandFiles(patterns: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    if (statSync(pattern, { throwIfNoEntry: false })) {
      files.add(pattern);
      continue;
    }
    if (!/[*?[{]/.test(pattern)) throw new UserError(sentences.fileUnreadable(pattern, "ENOENT"));
    const glob = new Bun.Glob(pattern);
    const found = await Array.fromAsync(
      glob.scan({ absolute: pattern.startsWith("/"), dot: true }),
    );
    if (found.length === 0) throw new UserError(sentences.globEmpty(pattern));
    for (const file of found.toSorted()) files.add(file);
  }
  return [...files];
}
