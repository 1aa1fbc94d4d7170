import type { ImportedRecord } from "#records/imported-record.ts";
import { isObject } from "#wire/json.ts";

/**
 * True if `kept`, the NDJSON of an earlier import, has later events that this import lacks. Events that another
 * conversation of this import has were moved there, such as those of a fork that was read before its original;
 * `isElsewhere` knows them by `eventKey`.
 */
export function isOlderCopy(
  kept: string,
  records: readonly ImportedRecord[],
  isElsewhere: (key: string) => boolean,
): boolean {
  const earlier = parsedRecords(kept);
  if (earlier === undefined || newestTime(earlier) <= newestTime(records)) return false;
  const own = new Set(records.map(eventKey));
  const rest = earlier.map(eventKey).filter((key) => key !== undefined && !own.has(key));
  return rest.length > 0 && !rest.some((key) => key !== undefined && isElsewhere(key));
}

/** Equal in every import of the same event. */
export function eventKey(
  record: Readonly<{ [name in keyof ImportedRecord]?: unknown }> & object,
): string | undefined {
  if ("call_id_sha256" in record) return `call ${String(record.call_id_sha256)}`;
  return "index" in record && "model" in record
    ? `turn ${String(record.ts)} ${String(record.model)}`
    : undefined;
}

/** Undefined when a line is not JSON: such a file is to be replaced. */
function parsedRecords(lines: string): readonly object[] | undefined {
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

/** ISO 8601 times of one form sort as text. */
function newestTime(records: readonly object[]): string {
  return records
    .map((record) => ("ts" in record ? String(record.ts) : ""))
    .reduce((newest, time) => (time > newest ? time : newest), "");
}
