import { closeSync, existsSync, openSync, readSync } from "node:fs";
import type { CallRecord, EndRecord } from "#records/record.ts";
import { newline } from "#kit/text/ascii.ts";

const readBytes = 1024 * 1024;
const pollMs = 10;
const idleMaxMs = 10_000;
const callMarker = Buffer.from('"type":"call"');

export type RecordCount = {
  readonly once: number;
  readonly truncated: number;
  readonly dropped: number;
};

type AnyRecord = Partial<Omit<CallRecord, "type"> & Omit<EndRecord, "type">> & {
  readonly type?: string;
};

export async function countRecords(path: string): Promise<RecordCount> {
  const timesByRequest = new Map<string, number>();
  let [truncated, dropped] = [0, 0];
  for await (const record of readRecords(path)) {
    if (record.type === "call") {
      const key = `${String(record.session_id)} ${JSON.stringify(record.request_id)}`;
      timesByRequest.set(key, (timesByRequest.get(key) ?? 0) + 1);
      if (record.truncated === true) truncated++;
    }
    // An `end` without code and signal is a checkpoint of a session that continues.
    const isEnd = record.type === "end" && (record.exit_code !== null || record.signal !== null);
    if (isEnd) dropped += Number(record.dropped_records);
  }
  const once = [...timesByRequest.values()].filter((times) => times === 1).length;
  return { once, truncated, dropped };
}

async function* readRecords(path: string): AsyncGenerator<AnyRecord> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.file(path).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== "") yield JSON.parse(rest);
}

/**
 * Returns the time at which a growing record file has `calls` calls; NaN if none arrives for ten
 * seconds.
 */
export async function watchCalls(path: string, calls: number): Promise<number> {
  const buffer = Buffer.allocUnsafe(readBytes);
  let [found, offset, newestMs] = [0, 0, performance.now()];
  while (performance.now() - newestMs <= idleMaxMs) {
    const before = found;
    for (const lines of existsSync(path) ? readWholeLines(path, buffer, offset) : []) {
      found += countMarkers(lines);
      offset += lines.length;
    }
    if (found >= calls) return performance.now();
    if (found > before) newestMs = performance.now();
    await Bun.sleep(pollMs);
  }
  return Number.NaN;
}

function* readWholeLines(path: string, buffer: Buffer, from: number): Generator<Buffer> {
  const descriptor = openSync(path, "r");
  for (let offset = from; ;) {
    const read = readSync(descriptor, buffer, 0, readBytes, offset);
    const whole = buffer.subarray(0, buffer.subarray(0, read).lastIndexOf(newline) + 1);
    if (whole.length === 0) break;
    offset += whole.length;
    yield whole;
  }
  closeSync(descriptor);
}

function countMarkers(bytes: Buffer): number {
  let found = 0;
  let at = bytes.indexOf(callMarker);
  for (; at >= 0; at = bytes.indexOf(callMarker, at + callMarker.length)) found++;
  return found;
}
