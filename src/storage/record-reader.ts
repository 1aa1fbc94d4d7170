import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import ndjson from "ndjson";
import { recordLineBytesMax } from "#limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { openBrace, space } from "#wire/ascii.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import { isRecord } from "./is-record.ts";
import { readChunks } from "#os/named-file.ts";

/** Lines of a file: records of mcp-meter, and others, torn ones included. Empty lines do not count. */
export type ReadCounts = { readonly records: number; readonly skipped: number };

/**
 * Streams the records of a file of any length to `take`. Lines that are torn or not records are skipped
 * and counted. Throws UserError when the file cannot be read.
 */
export async function readRecords(
  file: string,
  take: (record: MeterRecord) => void,
): Promise<ReadCounts> {
  let lines = 0;
  let records = 0;
  const parser = ndjson.parse({ strict: false });
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
  const objects = objectLines(() => (lines += 1));
  await pipeline(readChunks(file), objects, parser, taker);
  return { records, skipped: lines - records };
}

/**
 * Forwards the lines that begin like a JSON object, and calls `count` for each line that is not empty. The
 * parser that follows takes a `null` for the end of the file.
 */
function objectLines(count: () => void): Transform {
  const splitter = new LineSplitter(recordLineBytesMax);
  const take = (line: Line): Uint8Array[] => {
    const first = line.bytes?.find((byte) => byte > space);
    if (line.bytes && first === undefined) return [];
    count();
    return line.bytes && first === openBrace ? [line.bytes] : [];
  };
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      for (const line of splitter.push(chunk)) for (const bytes of take(line)) this.push(bytes);
      done();
    },
    flush(done) {
      const last = splitter.end();
      for (const bytes of last ? take(last) : []) this.push(bytes);
      done();
    },
  });
}
