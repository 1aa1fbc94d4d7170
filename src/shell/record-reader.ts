import { createReadStream } from "node:fs";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import ndjson from "ndjson";
import { sentences, UserError } from "#errors.ts";
import { recordLineBytesMax } from "#limits.ts";
import type { Record } from "#meter/record.ts";
import { isObject, textAt } from "#wire/json.ts";
import { codeOf } from "./system-error.ts";

const newline = 0x0a;

/** Passed on to the splitter below; the package's types do not name the last two. */
const parseOptions = { strict: false, maxLength: recordLineBytesMax, skipOverflow: true };

const types: ReadonlySet<string> = new Set<Record["type"]>([
  "session",
  "definitions",
  "call",
  "protocol",
  "breach",
  "alert",
  "fault",
  "end",
]);

/** What a file held: our records, and lines that were torn or somebody else's. */
export type ReadCounts = { readonly records: number; readonly skipped: number };

/**
 * Reads a record file of any length line by line. Torn lines and lines that are no records are skipped
 * and counted. Throws UserError when the file cannot be read.
 */
export async function readRecords(
  file: string,
  take: (record: Record) => void,
): Promise<ReadCounts> {
  let lines = 0;
  let records = 0;
  const parser = ndjson.parse(parseOptions);
  const taker = new Writable({
    objectMode: true,
    write(value: unknown, _encoding, done) {
      if (isRecord(value)) {
        records += 1;
        take(value);
      }
      done();
    },
  });
  try {
    const counter = lineCounter(() => (lines += 1));
    await pipeline(createReadStream(file), counter, parser, taker);
  } catch (error) {
    throw new UserError(sentences.fileUnreadable(file, codeOf(error)));
  }
  return { records, skipped: lines - records };
}

/** Passes bytes through and tells of every line that is not empty, an unfinished last one included. */
function lineCounter(tell: () => void): Transform {
  let isInLine = false;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        if (at > from || isInLine) tell();
        isInLine = false;
        from = at + 1;
      }
      if (from < chunk.length) isInLine = true;
      done(null, chunk);
    },
    flush(done) {
      if (isInLine) tell();
      done();
    },
  });
}

/** Ours by type and version; a newer minor version may add members, never change what is there. */
function isRecord(value: unknown): value is Record {
  return (
    isObject(value) &&
    types.has(textAt(value, "type") ?? "") &&
    textAt(value, "schema_version")?.startsWith("1.") === true &&
    typeof value["session_id"] === "string" &&
    typeof value["server"] === "string"
  );
}
