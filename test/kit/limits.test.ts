import { expect, test } from "bun:test";
import * as limits from "../support/limits.ts";

test("limits are whole numbers above 0", () => {
  for (const [name, limit] of Object.entries(limits)) {
    expect([name, Number.isSafeInteger(limit) && limit > 0]).toEqual([name, true]);
  }
});

test("limits fit into each other", () => {
  expect(limits.lineTrustedBytesMax).toBeLessThan(limits.lineObservedBytesMax);
  expect(limits.skimTextBytesMax).toBeGreaterThan(limits.nameCharactersMax);
  expect(limits.recordWriteBytesMax).toBeLessThan(limits.recordQueueBytesMax);
  expect(limits.countingSliceCharacters).toBeLessThan(limits.backlogBytesMax);
  expect(limits.waitingRecordBytes).toBeLessThan(limits.backlogBytesMax);
  expect(limits.garbageBytesMax).toBeLessThan(limits.lineObservedBytesMax);
  expect(limits.summaryRowsMax).toBeLessThan(limits.toolRowsMax);
  expect(limits.crumbBytesMax).toBeLessThan(limits.crumbsBytes);
  expect(limits.crumbsBytes).toBeLessThan(limits.lineObservedBytesMax);
  expect(limits.holdRenewalMs * 2).toBeLessThan(limits.holdMaxMs);
  expect(limits.groupExitMaxMs).toBeLessThan(limits.killAfterTermMs);
  expect(limits.stepSummaryNoteBytesMax).toBeLessThan(limits.stepSummaryBytesMax);
  expect(limits.overheadCharactersMin).toBeLessThan(limits.overheadCharactersMax);
});
