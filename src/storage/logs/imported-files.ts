import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "#os/error-code.ts";
import { replaceFile } from "#os/replace-file.ts";
import type { ImportedRecord } from "#records/imported-record.ts";

/** The records of one conversation. */
type ConversationFile = {
  readonly id: string;
  /** Milliseconds since 1970 of its newest event. */
  readonly lastMs: number;
  readonly records: readonly ImportedRecord[];
};

/** Result of writing histories: files that are new or have changed, and the first fault. */
export type WrittenImports = { readonly written: number; readonly fault: string | undefined };

/**
 * Writes each conversation to a file of its own, `<folder>/<client>/<id>.ndjson`, of mode 0600 in folders of mode 0700. A
 * file of the same content is left alone. Its time of change is that of its newest event, by which reports choose files.
 */
export function writeImports(
  folder: string,
  client: string,
  conversations: readonly ConversationFile[],
): WrittenImports {
  const own = join(folder, client);
  let written = 0;
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    for (const { id, lastMs, records } of conversations) {
      const path = join(own, `${id}.ndjson`);
      const text = recordLines(records);
      if (contentOf(path) === text) continue;
      const fault = replaceFile(path, text);
      if (fault !== undefined) return { written, fault };
      const seconds = lastMs / 1000;
      utimesSync(path, seconds, seconds);
      written += 1;
    }
  } catch (error) {
    return { written, fault: errorCode(error) };
  }
  return { written, fault: undefined };
}

/** Records as NDJSON. */
export function recordLines(records: readonly ImportedRecord[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
