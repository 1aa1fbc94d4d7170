import { mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { importGarbageBytesMax } from "#limits/import.ts";
import { errorCode } from "#os/error-code.ts";
import { replaceFile } from "#os/replace-file.ts";
import type { ImportedRecord } from "#records/imported-record.ts";
import { GarbageCount } from "../garbage-count.ts";
import { eventKey, isOlderCopy } from "./older-copy.ts";

/** Of the text of records, each of which is written once. */
const garbage = new GarbageCount(importGarbageBytesMax);

/** The records of one conversation. */
type ConversationFile = {
  readonly id: string;
  /** Milliseconds since 1970 of its newest event. */
  readonly lastMs: number;
  readonly records: readonly ImportedRecord[];
};

/** Result of writing histories: files that are new or have changed, those that could not be written, and the first reason. */
export type WrittenImports = {
  readonly written: number;
  readonly failed: number;
  readonly fault: string | undefined;
};

/**
 * Writes each conversation to a file of its own, `<folder>/<client>/<id>.ndjson`, of mode 0600 in folders of mode 0700. A
 * file of the same content is left alone, and so is one with the rest of a conversation of which only an older copy was read.
 * Its time of change is that of its newest event, by which reports choose files. One that cannot be written stops no other.
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

/** A set that is made when it is first asked: most imports never need it. */
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

/** Records as NDJSON. */
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
