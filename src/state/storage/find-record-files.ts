import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { packedRecordsEnding } from "./compressed-files.ts";
import { isFolder } from "./folders.ts";
import { UserError } from "#kit/errors.ts";
import { catchErrorCode, readErrorCode } from "#kit/os/file-errors.ts";
import { commonSentences } from "#kit/sentences.ts";
import { storageSentences } from "./sentences.ts";

export const recordFilesMax = 100_000;

export const folderLevelsMax = 16;

// `isNamed` is false for a file that was found in a folder.
type RecordSource = { readonly file: string; readonly isNamed: boolean };

export type RecordSources = { readonly sources: readonly RecordSource[]; readonly leftOut: number };

export async function findRecordSources(operands: readonly string[]): Promise<RecordSources> {
  const walk = new RecordWalk(-Infinity);
  for (const operand of operands) {
    if (operand === "-") walk.addFile("-", true);
    else for (const path of await expandPatterns([operand])) walk.addPath(path);
  }
  return walk.found;
}

export function findRecordSourcesBelow(folder: string, sinceMs: number): RecordSources {
  const walk = new RecordWalk(sinceMs);
  walk.addFolder(folder, 0);
  return walk.found;
}

class RecordWalk {
  readonly #sinceMs: number;
  readonly #sources: RecordSource[] = [];
  readonly #known = new Set<string>();
  #leftOut = 0;

  constructor(sinceMs: number) {
    this.#sinceMs = sinceMs;
  }

  get found(): RecordSources {
    return { sources: this.#sources, leftOut: this.#leftOut };
  }

  addPath(path: string): void {
    if (isFolder(path)) this.addFolder(path, 0);
    else this.addFile(path, true);
  }

  addFile(file: string, isNamed: boolean): void {
    const identity = file === "-" ? file : this.#identify(file);
    if (identity === undefined || this.#known.has(identity)) return;
    if (this.#sources.length >= recordFilesMax) {
      this.#leftOut += 1;
      return;
    }
    this.#known.add(identity);
    this.#sources.push({ file, isNamed });
  }

  // Does not follow symbolic links to folders, which may form a cycle.
  addFolder(folder: string, level: number): void {
    if (level >= folderLevelsMax) return;
    const entries = listEntries(folder);
    if ("fault" in entries) {
      if (level === 0) throw new UserError(commonSentences.fileUnreadable(folder, entries.fault));
      // The fault is reported when this path is read.
      this.#sources.push({ file: folder, isNamed: false });
      return;
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.addFolder(path, level + 1);
      else if (entry.name.endsWith(".ndjson") || entry.name.endsWith(packedRecordsEnding))
        this.addFile(path, false);
    }
  }

  #identify(file: string): string | undefined {
    try {
      const { dev, ino, mtimeMs } = statSync(file);
      return mtimeMs < this.#sinceMs ? undefined : `${dev}:${ino}`;
    } catch (error) {
      // A file that cannot be examined is reported when it is read.
      return readErrorCode(error) === "ENOENT" ? undefined : file;
    }
  }
}

function listEntries(folder: string): readonly Dirent[] | { readonly fault: string } {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const code = readErrorCode(error);
    if (code === "ENOENT") return [];
    return { fault: code };
  }
}

// An existing path is taken literally, even if it has the form of a pattern.
async function expandPatterns(patterns: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const pattern of patterns) {
    const fault = catchErrorCode(() => statSync(pattern));
    if (fault === undefined) {
      files.add(pattern);
      continue;
    }
    if (!/[*?[{]/.test(pattern))
      throw new UserError(commonSentences.fileUnreadable(pattern, fault));
    const matches = new Bun.Glob(pattern).scan({ absolute: pattern.startsWith("/"), dot: true });
    const paths = await Array.fromAsync(matches);
    if (paths.length === 0) throw new UserError(storageSentences.globEmpty(pattern));
    for (const file of paths.toSorted()) files.add(file);
  }
  return [...files];
}
