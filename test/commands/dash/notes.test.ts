import { expect, test } from "bun:test";
import { PageNotes, dashNotesMax } from "#commands/dash/page-data.ts";

test("a sentence is there once, and progress stands first", () => {
  const notes = new PageNotes();
  notes.tell("a");
  const { version } = notes;
  notes.tell("a");
  expect(notes.version).toBe(version);
  notes.progress = "reading";
  expect(notes.all).toEqual(["reading", "a"]);
  notes.progress = undefined;
  expect(notes.all).toEqual(["a"]);
  expect(notes.version).toBe(version + 2);
});

test("an outage stands there while it lasts", () => {
  const notes = new PageNotes();
  notes.tell("a");
  notes.outage = "away";
  expect(notes.all).toEqual(["away", "a"]);
  notes.outage = undefined;
  expect(notes.all).toEqual(["a"]);
});

test("there is room for as many as the limit", () => {
  const notes = new PageNotes();
  for (let at = 0; at < dashNotesMax + 3; at += 1) notes.tell(`note ${at}`);
  expect(notes.all).toHaveLength(dashNotesMax);
});

test("the sentences of a reading take the place of those of the one before", () => {
  const notes = new PageNotes();
  notes.tell("a");
  notes.readingNotes = ["b", "c", "b"];
  expect(notes.all).toEqual(["b", "c", "a"]);
  notes.readingNotes = ["a"];
  expect(notes.all).toEqual(["a"]);
});
