import { expect, test } from "bun:test";
import { formatRecordLine } from "#state/sinks/record-queue.ts";
import { createStderrSink } from "#state/sinks/index.ts";
import { callRecord, endRecord } from "../../support/made-records.ts";

test("createStderrSink writes each record at once, as a line", async () => {
  const written: string[] = [];
  const sink = createStderrSink({
    write: (text, done) => {
      written.push(text);
      done?.(true);
    },
    flush: () => undefined,
  });
  for (const record of [callRecord(), endRecord()]) sink.take(record);
  expect(written).toEqual([formatRecordLine(callRecord()), formatRecordLine(endRecord())]);
  await sink.flush(0);
  expect(sink.dropped).toBe(0);
});

test("createStderrSink tells records that are dropped from those that wait, and counts no end that a later one replaces", async () => {
  const waiting: ((isWritten: boolean) => void)[] = [];
  const sink = createStderrSink({
    write: (_text, done) => void (done && waiting.push(done)),
    flush: () => waiting.pop()?.(true),
  });
  const checkpoint = { ...endRecord(), exit_code: null, signal: null };
  for (const record of [checkpoint, callRecord(), callRecord(), callRecord()]) sink.take(record);
  expect([sink.waiting, sink.dropped]).toEqual([3, 0]);
  waiting[1]?.(false);
  await sink.flush(0);
  expect([sink.waiting, sink.dropped]).toEqual([1, 1]);
});
