import { mkdirSync, readFileSync, utimesSync, closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { importGarbageBytesMax } from "../../limits.ts";
import { readErrorCode } from "#kit/os/file-errors.ts";
import { replaceFile, replaceInChunks } from "#kit/os/replace-file.ts";
import type { ImportedRecord } from "#records/record.ts";
import { packedRecordsEnding, packText, unpackText, GarbageCollector } from "../read-records.ts";
import { isObject } from "#wire/json.ts";
import { openToRead } from "#kit/os/open-file.ts";

const garbage = new GarbageCollector(importGarbageBytesMax);

type ConversationFile = {
  readonly id: string;
  readonly lastMs: number;
  readonly records: readonly ImportedRecord[];
};

type WrittenImports = {
  readonly written: number;
  readonly failed: number;
  readonly fault: string | undefined;
};

// Never replaces a newer copy. The mtime is set to the newest event: reports choose files by it.
export function writeImports(
  folder: string,
  client: string,
  conversations: Iterable<ConversationFile>,
): WrittenImports {
  const clientFolder = join(folder, client);
  try {
    mkdirSync(clientFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { written: 0, failed: [...conversations].length, fault: readErrorCode(error) };
  }
  let keys: ReadonlySet<string | undefined> | undefined;
  const isImported = (key: string): boolean => (keys ??= new Set(listKeys(conversations))).has(key);
  const outcomes = Array.from(conversations, (conversation) =>
    writeConversation(clientFolder, conversation, isImported),
  );
  const faults = outcomes.filter((outcome) => typeof outcome === "object");
  const written = outcomes.filter((outcome) => outcome === "written").length;
  return { written, failed: faults.length, fault: faults[0]?.fault };
}

function* listKeys(conversations: Iterable<ConversationFile>): Generator<string | undefined> {
  for (const { records } of conversations) yield* records.map(makeEventKey);
}

function writeConversation(
  folder: string,
  { id, lastMs, records }: ConversationFile,
  isImported: (key: string) => boolean,
): "written" | "unchanged" | { readonly fault: string } {
  const path = join(folder, `${id}${packedRecordsEnding}`);
  const packed = packText(formatRecordLines(records));
  const previousBytes = readContent(path);
  if (previousBytes?.equals(packed) === true) return "unchanged";
  const previous = unpackRecords(previousBytes);
  if (previous !== undefined && isNewerCopy(previous, records, isImported)) return "unchanged";
  const fault = replaceFile(path, packed);
  if (fault !== undefined) return { fault };
  try {
    utimesSync(path, lastMs / 1000, lastMs / 1000);
    return "written";
  } catch (error) {
    return { fault: readErrorCode(error) };
  }
}

function unpackRecords(packed: Buffer | undefined): string | undefined {
  try {
    return packed && unpackText(packed);
  } catch {
    return undefined;
  }
}

export function formatRecordLines(records: readonly ImportedRecord[]): string {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  garbage.add(lines.length);
  return lines;
}

function readContent(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

// True if `previous` ends later, and no event that `records` lacks is elsewhere in this import.
function isNewerCopy(
  previous: string,
  records: readonly ImportedRecord[],
  isImported: (key: string) => boolean,
): boolean {
  const earlier = parseRecords(previous);
  if (earlier === undefined || findNewestTime(earlier) <= findNewestTime(records)) return false;
  const keys = new Set(records.map(makeEventKey));
  const missing = earlier.map(makeEventKey).filter((key) => key !== undefined && !keys.has(key));
  return missing.length > 0 && !missing.some((key) => key !== undefined && isImported(key));
}

function makeEventKey(
  record: Readonly<{ [name in keyof ImportedRecord]?: unknown }> & object,
): string | undefined {
  if ("call_id_sha256" in record) return `call ${String(record.call_id_sha256)}`;
  return "index" in record && "model" in record
    ? `turn ${String(record.ts)} ${String(record.model)}`
    : undefined;
}

function parseRecords(lines: string): readonly object[] | undefined {
  try {
    const records = lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line));
    return records.every(isObject) ? records : undefined;
  } catch {
    return undefined;
  }
}

function findNewestTime(records: readonly object[]): string {
  return records
    .map((record) => ("ts" in record ? String(record.ts) : ""))
    .reduce((newest, time) => (time > newest ? time : newest), "");
}

const importedBeginningBytes = 64;

// With mode 0600. Replaces only imported records. On failure returns a clause or an error code.
export function writeNamedImports(
  file: string,
  makeChunks: () => Iterable<string>,
): string | undefined {
  const beginning = readBeginning(file);
  if (beginning !== undefined && !beginsImport(beginning))
    return "it holds something other than an import";
  return replaceInChunks(file, makeChunks);
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

function beginsImport(beginning: string): boolean {
  return /^\{"type":"(?:conversation|turn|imported_call|tool_list)",/.test(beginning);
}
