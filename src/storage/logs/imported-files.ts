import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { importGarbageBytesMax } from "#limits/import.ts";
import { errorCode } from "#os/error-code.ts";
import { replaceFile } from "#os/replace-file.ts";
import type { ImportedRecord } from "#records/imported-record.ts";
import { GarbageCount } from "../garbage-count.ts";
import { eventKey, isOlderCopy } from "./older-copy.ts";

const garbage = new GarbageCount(importGarbageBytesMax);

type ConversationFile = {
  readonly id: string;
  readonly lastMs: number;
  readonly records: readonly ImportedRecord[];
};

export type WrittenImports = {
  readonly written: number;
  readonly failed: number;
  readonly fault: string | undefined;
};

/**
 * `<folder>/<client>/<id>.ndjson`, of mode 0600 in folders of mode 0700. Leaves a file alone if its content is the
 * same, or if only an older copy of its conversation was read. Its mtime is the newest event's, by which reports
 * choose files. A failed write stops no other.
 */
export function writeImports(
  folder: string,
  client: string,
  conversations: Iterable<ConversationFile>,
): WrittenImports {
  const own = join(folder, client);
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { written: 0, failed: [...conversations].length, fault: errorCode(error) };
  }
  const events = new LazySet(() => allKeys(conversations));
  const outcomes = Array.from(conversations, (one) => writeConversation(own, one, events));
  const faults = outcomes.filter((outcome) => typeof outcome === "object");
  const written = outcomes.filter((outcome) => outcome === "written").length;
  return { written, failed: faults.length, fault: faults[0]?.fault };
}

function* allKeys(conversations: Iterable<ConversationFile>): Generator<string | undefined> {
  for (const { records } of conversations) yield* records.map(eventKey);
}

function writeConversation(
  folder: string,
  { id, lastMs, records }: ConversationFile,
  events: LazySet,
): "written" | "kept" | { readonly fault: string } {
  const path = join(folder, `${id}.ndjson`);
  const text = recordLines(records);
  const kept = contentOf(path);
  if (kept === text) return "kept";
  if (kept !== undefined && isOlderCopy(kept, records, (key) => events.has(key))) return "kept";
  const fault = replaceFile(path, text);
  if (fault !== undefined) return { fault };
  try {
    utimesSync(path, lastMs / 1000, lastMs / 1000);
    return "written";
  } catch (error) {
    return { fault: errorCode(error) };
  }
}

/** Made on first use: most imports never need it. */
class LazySet {
  readonly #make: () => Iterable<string | undefined>;
  #keys: ReadonlySet<string | undefined> | undefined;

  constructor(make: () => Iterable<string | undefined>) {
    this.#make = make;
  }

  has(key: string): boolean {
    this.#keys ??= new Set(this.#make());
    return this.#keys.has(key);
  }
}

export function recordLines(records: readonly ImportedRecord[]): string {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  garbage.add(lines.length);
  return lines;
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
