import { attempt } from "#kit/errors.ts";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { catchErrorCode, makeDisposableFile } from "#kit/os/file-errors.ts";
import { replaceFile, replaceInChunks } from "#kit/os/write-file.ts";
import type { ConversationRecords } from "#history/imports/conversation-records.ts";
import { packedRecordsEnding, packBytes, unpackText } from "../compressed-files.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { readQuietly, removeQuietly } from "../cache-file.ts";
import { newline } from "#kit/text/ascii.ts";
import { openToRead } from "#kit/os/open-file.ts";

export type ConversationFile = {
  readonly id: string;
  readonly lastMs: number;
  readonly bytes: number;
  // Undefined if an earlier import has written the file.
  readonly packed?: Uint8Array;
};

export function packRecords({ id, lastMs, records }: ConversationRecords): ConversationFile {
  const lines = new LineBuffer();
  for (const record of records) lines.add(JSON.stringify(record));
  const packed = packBytes(lines.read());
  return { id, lastMs, bytes: packed.length, packed };
}

// Reused for the next conversation. Joining all lines into one string takes twice as long.
let sharedLines = Buffer.alloc(1024 * 1024);

const utf8BytesPerUnitMax = 3;

class LineBuffer {
  #length = 0;

  add(line: string): void {
    const lengthMax = this.#length + utf8BytesPerUnitMax * line.length + 1;
    if (lengthMax > sharedLines.length) {
      sharedLines = Buffer.concat([this.read()], 2 * lengthMax);
    }
    this.#length += sharedLines.write(line, this.#length);
    sharedLines[this.#length] = newline;
    this.#length += 1;
  }

  // Valid until a line is added to any LineBuffer.
  read(): Buffer {
    return sharedLines.subarray(0, this.#length);
  }
}

// The mark is a file that exists while records are written. If it is left behind, the records are incomplete.
function locateMark(folder: string): string {
  return join(folder, "unfinished");
}

export function isUnfinished(folder: string): boolean {
  return existsSync(locateMark(folder));
}

export function writeMarked<Result>(folder: string, write: () => Result): Result {
  if (isUnfinished(folder)) removeLeftovers(folder);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(locateMark(folder), "", { mode: 0o600 });
  } catch {
    // The records cannot be written either, and that is reported.
  }
  const result = write();
  removeQuietly(locateMark(folder));
  return result;
}

// Younger files may belong to an import that still runs.
const leftoverMsMin = 60_000;

// An import that was killed may leave a file that it had not renamed yet.
function removeLeftovers(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const file = join(folder, path);
    if (!/\.zst\.[\da-f-]{36}$/.test(path)) continue;
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > leftoverMsMin) removeQuietly(file);
  }
}

type WrittenImports = {
  readonly written: number;
  readonly failed: number;
  readonly fault: string | undefined;
};

// Never replaces a newer copy. Sets the mtime to the time of the newest event, because reports choose files by mtime.
export function writeImports(
  folder: string,
  client: string,
  conversations: readonly ConversationFile[],
): WrittenImports {
  const clientFolder = join(folder, client);
  const folderFault = catchErrorCode(() => {
    mkdirSync(clientFolder, { recursive: true, mode: 0o700 });
  });
  if (folderFault !== undefined)
    return { written: 0, failed: conversations.length, fault: folderFault };
  let keys: ReadonlySet<string | undefined> | undefined;
  const isImported = (key: string): boolean =>
    (keys ??= new Set(listKeys(clientFolder, conversations))).has(key);
  const outcomes = conversations.map((conversation) =>
    writeConversation(clientFolder, conversation, isImported),
  );
  const faults = outcomes.filter((outcome) => typeof outcome === "object");
  const written = outcomes.filter((outcome) => outcome === "written").length;
  return { written, failed: faults.length, fault: faults[0]?.fault };
}

function listKeys(
  folder: string,
  conversations: readonly ConversationFile[],
): readonly (string | undefined)[] {
  return conversations.flatMap(({ id, packed }) => {
    const content = packed ?? readQuietly(locateRecords(folder, id));
    return (content ? (parseRecords(content) ?? []) : []).map(makeEventKey);
  });
}

function locateRecords(clientFolder: string, id: string): string {
  return join(clientFolder, `${id}${packedRecordsEnding}`);
}

/** True if the file of a conversation still has the size with which `writeImports` wrote it. */
export function hasRecords(
  folder: string,
  client: string,
  { id, bytes }: Pick<ConversationFile, "id" | "bytes">,
): boolean {
  const path = locateRecords(join(folder, client), id);
  return statSync(path, { throwIfNoEntry: false })?.size === bytes;
}

function writeConversation(
  folder: string,
  { id, lastMs, packed }: ConversationFile,
  isImported: (key: string) => boolean,
): "written" | "unchanged" | { readonly fault: string } {
  if (!packed) return "unchanged";
  const path = locateRecords(folder, id);
  const previous = readQuietly(path);
  const isUnchanged = previous?.equals(packed) === true;
  if (isUnchanged || (previous && isNewerCopy(previous, packed, isImported))) return "unchanged";
  const fault =
    replaceFile(path, packed) ??
    catchErrorCode(() => utimesSync(path, lastMs / 1000, lastMs / 1000));
  return fault === undefined ? "written" : { fault };
}

// `previous` is newer if it ends later than `packed` and has events that `packed` lacks. But if another conversation of
// the import has one of these events, `previous` is not newer.
function isNewerCopy(
  previous: Uint8Array,
  packed: Uint8Array,
  isImported: (key: string) => boolean,
): boolean {
  const [previousRecords, records] = [parseRecords(previous), parseRecords(packed)];
  if (!previousRecords || !records || findNewestTime(previousRecords) <= findNewestTime(records))
    return false;
  const keys = new Set(records.map(makeEventKey));
  const missing = previousRecords
    .map(makeEventKey)
    .filter((key) => key !== undefined && !keys.has(key));
  return missing.length > 0 && !missing.some((key) => key !== undefined && isImported(key));
}

function makeEventKey(record: JsonObject): string | undefined {
  if ("call_id_sha256" in record) return `call ${String(record["call_id_sha256"])}`;
  return "index" in record && "model" in record
    ? `turn ${String(record["ts"])} ${String(record["model"])}`
    : undefined;
}

function parseRecords(packed: Uint8Array): readonly JsonObject[] | undefined {
  return attempt(() => {
    const records = unpackText(packed)
      .split("\n")
      .filter((line) => line !== "")
      .map((line): unknown => JSON.parse(line));
    return records.every(isObject) ? records : undefined;
  });
}

function findNewestTime(records: readonly JsonObject[]): string {
  return records
    .map(({ ts = "" }) => String(ts))
    .reduce((newest, time) => (time > newest ? time : newest), "");
}

const importedBeginningBytes = 64;

// Refuses to replace a file that holds anything other than an import. On failure, returns the reason: a clause about
// the file, or an error code.
export function writeImportFile(
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
  return attempt(() => {
    using owned = makeDisposableFile(opened.fd);
    const bytes = Buffer.alloc(importedBeginningBytes);
    const length = readSync(owned.fd, bytes, 0, bytes.length, 0);
    return length === 0 ? undefined : bytes.toString("utf8", 0, length);
  });
}

function beginsImport(beginning: string): boolean {
  return /^\{"type":"(?:conversation|turn|imported_call|tool_list)",/.test(beginning);
}
