import { expect, test } from "bun:test";
import { truncateSync, utimesSync } from "node:fs";
import {
  limitReading,
  Notes,
  servedNotesMax,
  servedRecordMegabytesMax,
  selectNewest,
} from "#commands/mcp/answer-limits.ts";
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

test("limitReading leaves out files beyond the limit, with a note", () => {
  using folder = new Folder();
  const files = ["small", "large"].map((name) => folder.file(`${name}.ndjson`, "x"));
  truncateSync(files[1] ?? "", servedRecordMegabytesMax * 1024 * 1024);
  const sources = files.map((file) => ({ file, isNamed: false }));
  const notes = new Notes();
  const { limit } = limitReading(notes, () => true);
  expect(limit({ sources, leftOut: 0 }).sources).toHaveLength(1);
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

test("keeps the newest files that fit, in their order, and counts the others", () => {
  using folder = new Folder();
  const sizes = [40, 30, 50, 20, 90];
  const sources = sizes.map((size, at) => {
    const file = folder.file(`${at}.ndjson`, "x".repeat(size));
    // The last one is the oldest.
    utimesSync(file, 1_000 - at, 1_000 - at);
    return { file, isNamed: false };
  });
  const selectFiles = (bytesMax: number) => {
    const { sources: left, leftOut } = selectNewest({ sources, leftOut: 1 }, bytesMax);
    return [left.map(({ file }) => sources.findIndex((source) => source.file === file)), leftOut];
  };
  expect(selectFiles(230)).toEqual([[0, 1, 2, 3, 4], 1]);
  expect(selectFiles(229)).toEqual([[0, 1, 2, 3], 2]);
  expect(selectFiles(100)).toEqual([[0, 1, 3], 3]);
  expect(selectFiles(39)).toEqual([[1], 5]);
});

test("a file that vanished stays, and is reported when it is read", () => {
  const sources = [{ file: "/nowhere/a.ndjson", isNamed: false }];
  expect(selectNewest({ sources, leftOut: 0 }, 10)).toEqual({ sources, leftOut: 0 });
});
