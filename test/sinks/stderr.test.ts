import { expect, test } from "bun:test";
import { recordLine } from "#sinks/sink.ts";
import { stderrSink } from "#sinks/stderr.ts";
import { callRecord, endRecord } from "../support/made-records.ts";

test("stderrSink writes each record at once, as a line", async () => {
  const written: string[] = [];
  const sink = stderrSink({
    write: (text) => written.push(text),
    isTerminal: false,
    columns: undefined,
  });
  for (const record of [callRecord(), endRecord()]) sink.take(record);
  expect(written).toEqual([recordLine(callRecord()), recordLine(endRecord())]);
  await sink.flush(0);
  expect(sink.dropped).toBe(0);
});
