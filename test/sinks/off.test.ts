import { expect, test } from "bun:test";
import { offSink } from "#sinks/off.ts";
import { callRecord } from "../support/made-records.ts";

test("offSink discards records and counts none as dropped", async () => {
  const sink = offSink();
  sink.take(callRecord());
  await sink.flush(0);
  expect([sink.dropped, sink.waiting, sink.path]).toEqual([0, 0, undefined]);
});
