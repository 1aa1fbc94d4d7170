import { expect, test } from "bun:test";
import { Faults } from "#commands/run/faults.ts";

test("Faults are told at once, and recorded as soon as there are records", () => {
  const told: string[] = [];
  const recorded: string[] = [];
  const faults = new Faults((sentence) => told.push(sentence));
  faults.report("It failed", "SQLITE_BUSY");
  expect([told, recorded]).toEqual([["It failed"], []]);
  faults.recordWith(({ where, what }) => recorded.push(`${where}: ${what}`));
  faults.report("It is over", "");
  faults.report("It failed again", "ENOENT", "saved answers");
  expect(told).toEqual(["It failed", "It is over", "It failed again"]);
  expect(recorded).toEqual(["budget counters: SQLITE_BUSY", "saved answers: ENOENT"]);
});
