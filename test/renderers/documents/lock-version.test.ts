import { expect, test } from "bun:test";
import { upgradeNotes, versionNotes } from "#renderers/documents/lock-version.ts";

test("versionNotes name the parts that an older lock does not have, with a hint", () => {
  expect(versionNotes("version", "2.1", "; upgrade it")).toEqual([
    {
      label: "version",
      text: "version 2.1 has no website and icons of the server, which were not compared; upgrade it",
    },
  ]);
  expect(versionNotes("version", "2.2", "")).toEqual([]);
  expect(versionNotes("version", null, "")).toEqual([]);
});

test("upgradeNotes name the parts that a lock got", () => {
  const [note] = upgradeNotes("2.1");
  const text = "upgraded from version 2.1: the lock has website and icons of the server now";
  expect(note?.text).toBe(text);
  expect([...upgradeNotes("2.2"), ...upgradeNotes(null)]).toEqual([]);
});
