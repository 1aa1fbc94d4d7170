import { closeSync, readSync } from "node:fs";
import { openToRead } from "#kit/os/open-file.ts";
import { replaceWithParts } from "#kit/os/replace-file.ts";

const importedBeginningBytes = 64;

/** Of mode 0600. Replaces imported records, and leaves anything else alone. Returns why nothing was written, as a clause or a system error code. */
export function writeNamedImports(file: string, parts: () => Iterable<string>): string | undefined {
  const kept = readBeginning(file);
  if (kept !== undefined && !isImported(kept)) return "it holds something other than an import";
  return replaceWithParts(file, parts);
}

function readBeginning(file: string): string | undefined {
  const opened = openToRead(file);
  if ("fault" in opened || opened.isInherited) return undefined;
  try {
    const bytes = Buffer.alloc(importedBeginningBytes);
    const length = readSync(opened.fd, bytes, 0, bytes.length, 0);
    return length === 0 ? undefined : bytes.toString("utf8", 0, length);
  } catch {
    return undefined;
  } finally {
    closeSync(opened.fd);
  }
}

function isImported(beginning: string): boolean {
  return /^\{"type":"(?:conversation|turn|imported_call|tool_list)",/.test(beginning);
}
