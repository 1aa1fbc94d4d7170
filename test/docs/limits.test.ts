import { describe, expect, test } from "bun:test";
import * as limits from "../support/limits.ts";
import { readDocument } from "./documents.ts";

const mebi = 1024 * 1024;

const spaced = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, " ");

const decision = "docs/adr/0001-fail-open.md";
const forwarding = "docs/adr/0002-lanes-and-forwarding.md";
const named: readonly (readonly [document: string, words: string])[] = [
  [decision, `${limits.lineObservedBytesMax / mebi} MiB of a line`],
  [decision, `${limits.lineTrustedBytesMax / 1024} KiB of a line`],
  [decision, `${limits.nestingMax} levels, ${spaced(limits.structuresMax)} brackets`],
  [decision, `${spaced(limits.batchItemsMax)} elements of a batch`],
  [decision, `${spaced(limits.openCallsMax)} open requests`],
  [decision, `${limits.backlogBytesMax / mebi} MiB wait to be counted`],
  [decision, `${limits.unprocessedBytesMax / mebi} MiB of one side`],
  [decision, `${limits.countingAtExitMaxMs / 1000} s of counting`],
  [decision, `${spaced(limits.toolRowsMax)} rows of tools, ${limits.summaryRowsMax} printed`],
  [decision, `${limits.recordQueueBytesMax / mebi} MiB of records`],
  ["docs/adr/0003-records.md", `holds ${limits.recordQueueBytesMax / mebi} MiB`],
  ["docs/adr/0003-records.md", `has ${limits.recordFlushMaxMs / 1000} s to reach`],
  ["docs/adr/0003-records.md", `within ${limits.recordGatherMs} ms share`],
  ["docs/records.md", `within ${limits.recordGatherMs} ms together`],
  ["docs/adr/0010-event-loop-turns.md", `${limits.unprocessedBytesMax / mebi} MiB ahead`],
  ["docs/adr/0010-event-loop-turns.md", `After ${limits.garbageBytesMax / mebi} MiB of counted`],
  [
    "docs/adr/0010-event-loop-turns.md",
    `${limits.lineGarbageBytes.toLocaleString("en")} bytes for each line`,
  ],
  [forwarding, `woken ${limits.promptDelayMs} ms after an answer`],
  [forwarding, `every ${limits.judgeDelayMs} ms, and takes many`],
  [forwarding, `not begun after ${limits.threadStartMaxMs / 1000} s`],
  [forwarding, `A ring of ${limits.ringBytes / mebi} MiB`],
  [forwarding, `A file of ${limits.spoolBytes / mebi} MiB`],
  [forwarding, `up to ${limits.spoolBytes / 2 / mebi} MB passes`],
  [
    forwarding,
    `${limits.judgeDelayMs} ms until the judge, ${limits.recordGatherMs} ms until the file`,
  ],
  [forwarding, `for at most ${limits.saveCatchUpMaxMs} ms, and saved`],
  [forwarding, `counted for ${limits.countingAtExitMaxMs / 1000} s`],
  ["docs/budgets.md", `at most ${limits.throttleWaitMaxMs / 1000} s`],
  [
    "docs/budgets.md",
    `at most ${limits.repeatNoteCallsMax} calls of this server, ${limits.repeatNoteTokensMax.toLocaleString("en")} tokens and ${limits.repeatNoteAgeMaxMs / 60_000} minutes back`,
  ],
  ["docs/budgets.md", `must save ${limits.repeatNoteSavedTokensMin} tokens`],
  ["docs/ARCHITECTURE.md", `at most ${limits.lineObservedBytesMax / mebi} MiB of a line`],
  ["docs/ARCHITECTURE.md", `${limits.countingSliceCharacters / 1024} K characters at a time`],
  ["docs/records.md", `beyond the ${limits.listEntriesMax.toLocaleString("en")} that are priced`],
  ["docs/records.md", `at most ${limits.nameCharactersMax} characters`],
];

describe("limits in documents", () => {
  for (const [document, words] of named) {
    test(`${document}: ${words}`, () => {
      expect(readDocument(document).replaceAll(/\s+/g, " ")).toContain(words);
    });
  }
});
