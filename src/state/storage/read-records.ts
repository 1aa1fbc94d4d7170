import * as imported from "../../../dist/validators/imported-record.js";
import * as compiled from "../../../dist/validators/record.js";
import type { ImportedRecord, MeterRecord } from "#records/record.ts";
import { isObject, readString } from "#wire/json.ts";
import { UserError } from "#kit/errors.ts";
import { takeChunks } from "#kit/os/open-file.ts";
import { packedRecordsEnding, takePacked } from "./compressed-files.ts";
import { JsonLines } from "./json-lines.ts";
import { storageSentences } from "./sentences.ts";
import { commonSentences } from "#kit/sentences.ts";

const validators = new Map(Object.entries(compiled));

const importedValidators = new Map(Object.entries(imported));

export function isImportedRecord(value: unknown): value is ImportedRecord {
  if (!isObject(value)) return false;
  return importedValidators.get(readString(value, "type") ?? "")?.(value) === true;
}

export function isRecord(value: unknown): value is MeterRecord {
  if (!isObject(value)) return false;
  return validators.get(readString(value, "type") ?? "")?.(value) === true;
}

// Runs after every `bytesMax` bytes: the runtime lets garbage grow to several times the memory in use.
export class GarbageCollector {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes <= this.#bytesMax) return;
    this.#bytes = 0;
    Bun.gc(true);
  }
}

const readGarbageBytesMax = 16 * 1024 * 1024;

export type SkippedLines = {
  // Lines that begin like a record but are not JSON: a write failed or is in progress.
  readonly incomplete: number;
  readonly newer: number; // records of a newer major version
  readonly foreign: number; // not records, or rejected
};

type ReadCounts = { readonly records: number; readonly skipped: SkippedLines };

// Returns false to reject a record, which then counts as skipped.
export type TakeRecord = (record: MeterRecord) => unknown;

export type TakeImported = (record: ImportedRecord) => unknown;

const noImports: TakeImported = () => undefined;

// `-` is stdin. Throws UserError if the file cannot be read.
export async function readRecords(
  file: string,
  take: TakeRecord,
  takeImported: TakeImported = noImports,
): Promise<ReadCounts> {
  const skipped = { incomplete: 0, newer: 0, foreign: 0 };
  let records = 0;
  const lines = new JsonLines({
    take: (value) => {
      if (isRecord(value) && take(value) !== false) records += 1;
      else if (isImportedRecord(value) && takeImported(value) !== false) records += 1;
      else skipped[isNewer(value) ? "newer" : "foreign"] += 1;
    },
    skip: (text) => {
      if (text !== "") skipped[text.startsWith("{") ? "incomplete" : "foreign"] += 1;
    },
  });
  let isFirst = true;
  await takeRecordBytes(file, (chunk) => {
    lines.push(isFirst ? stripByteOrderMark(file, chunk) : chunk);
    isFirst = false;
    garbage.add(chunk.length);
  });
  lines.end();
  return { records, skipped };
}

/** Unpacks the file if it is packed. Throws UserError if the file cannot be read. */
export async function takeRecordBytes(
  file: string,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  if (!file.endsWith(packedRecordsEnding)) return takeChunks(file, take);
  let wasUnpacked = false;
  const readFault = await takePacked(file, (chunk) => {
    wasUnpacked = true;
    take(chunk);
    return true;
  });
  // A file truncated in its first block yields no chunk and no error.
  const fault = readFault ?? (wasUnpacked ? undefined : "the file is damaged");
  if (fault !== undefined) throw new UserError(commonSentences.fileUnreadable(file, fault));
}

const byteOrderMark = [0xef, 0xbb, 0xbf];
const compressedMarks = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
];

function stripByteOrderMark(file: string, chunk: Uint8Array): Uint8Array {
  const beginsWith = (mark: readonly number[]): boolean =>
    mark.every((byte, at) => chunk[at] === byte);
  if (compressedMarks.some(beginsWith))
    throw new UserError(storageSentences.recordsCompressed(file));
  return beginsWith(byteOrderMark) ? chunk.subarray(byteOrderMark.length) : chunk;
}

const garbage = new GarbageCollector(readGarbageBytesMax);

// Newer records are not read: in a newer major version, a field may have another meaning.
function isNewer(value: unknown): boolean {
  if (!isObject(value) || readString(value, "session_id") === undefined) return false;
  const major = /^(\d+)\./.exec(readString(value, "schema_version") ?? "")?.[1];
  return major !== undefined && Number(major) > 1;
}
