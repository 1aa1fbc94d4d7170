import { expect, test } from "bun:test";
import { PageNotes, createCounterFaultReporter } from "#commands/dash/page-data.ts";

test("an outage is one line when it begins, whatever its causes, and one when it ends", () => {
  const notes = new PageNotes();
  const told: string[] = [];
  const reportFault = createCounterFaultReporter(notes, (sentence) => told.push(sentence));
  reportFault(undefined);
  expect([told, notes.all]).toEqual([[], []]);
  for (const fault of ["Cannot read a", "Cannot read a", "Cannot read b"]) reportFault(fault);
  expect(told).toEqual([
    "The page and its /metrics are served without fresh budget counters: cannot read a",
  ]);
  expect(notes.all).toEqual(["Cannot read b"]);
  reportFault(undefined);
  reportFault(undefined);
  expect(told.slice(1)).toEqual(["The budget counters can be read again"]);
  expect(notes.all).toEqual([]);
  reportFault("Cannot read a");
  expect(told).toHaveLength(3);
});
