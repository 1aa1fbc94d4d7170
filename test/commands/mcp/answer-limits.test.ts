import { expect, test } from "bun:test";
import { truncateSync, utimesSync } from "node:fs";
import {
  limitReading,
  Notes,
  servedNotesMax,
  servedRecordMegabytesMax,
  selectNewest,
} from "#commands/mcp/answer-limits.ts";
import type { RecordSources } from "#state/storage/find-record-files.ts";
import { hasRecords } from "#commands/mcp/tool-context.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";
import { sessionRecord } from "../../support/made-records.ts";
import { servedMachine } from "../../support/served.ts";

test("Notes keeps the first sentences, each short and of one line", () => {
  const { tell, ...others } = new Notes();
  expect(others).toEqual({});
  const notes = new Notes();
  for (let at = 0; at <= servedNotesMax; at += 1) notes.tell(`${at}\n${"x".repeat(900)}`);
  expect(notes.sentences).toHaveLength(servedNotesMax);
  for (const sentence of notes.sentences) {
    expect(sentence).toStartWith(`${notes.sentences.indexOf(sentence)}\\u000ax`);
    expect(sentence.length).toBeLessThanOrEqual(220);
  }
  tell("alone");
});

test("limitReading leaves out files beyond the limit, of sessions and imports together, with a note", () => {
  using folder = new Folder();
  const find = (name: string): RecordSources => ({
    sources: [{ file: folder.file(`${name}.ndjson`, "x"), isNamed: false }],
    leftOut: 7,
  });
  const [sessions, imports] = [find("small"), find("large")];
  truncateSync(folder.at("large.ndjson"), servedRecordMegabytesMax * 1024 * 1024);
  utimesSync(folder.at("large.ndjson"), 1, 1);
  const notes = new Notes();
  const { limit } = limitReading(notes, () => true);
  // `readSources` reports the files that were left out because of their number.
  expect(limit({ sessions, imports })).toEqual({ sessions, imports: { sources: [], leftOut: 7 } });
  expect(limit({ sessions, imports: { ...sessions, sources: [] } }).sessions).toEqual(sessions);
  expect(notes.sentences).toEqual([
    'Left out 1 record file: at most 512 MB are read, newest files first; choose a later "since"',
  ]);
});

test("limitReading ends when no client waits for the answer", async () => {
  let isWanted = true;
  const { afterFile } = limitReading(new Notes(), () => isWanted);
  await afterFile();
  isWanted = false;
  expect(await rejectionOf(afterFile())).toBe("UserError: The client cancelled the question");
});

test("hasRecords: a record file of any time", () => {
  const common = { session_id: "a", ts: "2020-11-20T10:00:00.000Z" };
  using machine = servedMachine([[sessionRecord(common)]]);
  using empty = servedMachine([]);
  expect([machine, empty].map(({ context }) => hasRecords(context.io))).toEqual([true, false]);
});

test("selects the newest files that fit", () => {
  using folder = new Folder();
  const sizes = [40, 30, 50, 20, 90];
  const sources = sizes.map((size, at) => {
    const file = folder.file(`${at}.ndjson`, "x".repeat(size));
    // The last one is the oldest.
    utimesSync(file, 1_000 - at, 1_000 - at);
    return { file, isNamed: false };
  });
  const selectFiles = (bytesMax: number) => {
    const newest = selectNewest(sources, bytesMax);
    return sources.flatMap((source, at) => (newest.has(source) ? [at] : []));
  };
  expect(selectFiles(230)).toEqual([0, 1, 2, 3, 4]);
  expect(selectFiles(229)).toEqual([0, 1, 2, 3]);
  expect(selectFiles(100)).toEqual([0, 1, 3]);
  expect(selectFiles(39)).toEqual([1]);
});

test("a file that vanished stays, and is reported when it is read", () => {
  const sources = [{ file: "/nowhere/a.ndjson", isNamed: false }];
  expect([...selectNewest(sources, 10)]).toEqual(sources);
});
