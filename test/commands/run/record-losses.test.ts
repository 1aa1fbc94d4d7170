import { expect, test } from "bun:test";
import { RecordLosses } from "#commands/run/recording.ts";

test("one session has all losses, at its end including waiting records", () => {
  const sink = { dropped: 0, waiting: 3 };
  const losses = new RecordLosses(sink).makeCounter();
  expect(losses(false)).toBe(0);
  sink.dropped = 5;
  expect([losses(false), losses(false), losses(true), losses(false)]).toEqual([5, 5, 8, 5]);
});

test("sessions that share a sink have each loss once", () => {
  const sink = { dropped: 4, waiting: 0 };
  const all = new RecordLosses(sink);
  const [first, second] = [all.makeCounter(), all.makeCounter()];
  expect([first(false), second(false)]).toEqual([4, 0]);
  sink.dropped = 10;
  expect([second(true), first(true)]).toEqual([6, 4]);
});
