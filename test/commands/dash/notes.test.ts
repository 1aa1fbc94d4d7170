import { expect, test } from "bun:test";
import { PageNotes, dashNotesMax } from "#commands/dash/page-data.ts";

test("each sentence is listed once, and progress comes first", () => {
  const notes = new PageNotes();
  notes.tell("a");
  const { version } = notes;
  notes.tell("a");
  expect(notes.version).toBe(version);
  notes.setCurrent("progress", "reading");
  expect(notes.all).toEqual(["reading", "a"]);
  notes.setCurrent("progress", undefined);
  expect(notes.all).toEqual(["a"]);
  expect(notes.version).toBe(version + 2);
});

test.each(["counterFault", "lockFault"] as const)("the %s is listed while it lasts", (fault) => {
  const notes = new PageNotes();
  notes.tell("a");
  notes.setCurrent(fault, "away");
  expect(notes.all).toEqual(["away", "a"]);
  notes.setCurrent(fault, undefined);
  expect(notes.all).toEqual(["a"]);
});

test("lists as many sentences as the limit", () => {
  const notes = new PageNotes();
  for (let at = 0; at < dashNotesMax + 3; at += 1) notes.tell(`note ${at}`);
  expect(notes.all).toHaveLength(dashNotesMax);
});

test("the sentences of a reading replace those of the previous one", () => {
  const notes = new PageNotes();
  notes.tell("a");
  notes.readingNotes = ["b", "c", "b"];
  expect(notes.all).toEqual(["b", "c", "a"]);
  notes.readingNotes = ["a"];
  expect(notes.all).toEqual(["a"]);
});
