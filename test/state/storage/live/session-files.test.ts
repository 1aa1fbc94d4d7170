import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import {
  sessionFoldersMax,
  listDayFolders,
  readFileFacts,
  isRecordFileName,
  listRecordFiles,
  sessionFilesMax,
} from "#state/storage/live/session-files.ts";
import { locateSessions } from "#state/storage/folders.ts";
import { Folder } from "../../../support/folder.ts";

test("listDayFolders has the folders of days, newest first", () => {
  using folder = new Folder();
  for (const name of ["2026-01-31", "2026-02-01", "other", "2026-02-01-x"])
    mkdirSync(folder.at(name));
  expect(listDayFolders(folder.path)).toEqual([folder.at("2026-02-01"), folder.at("2026-01-31")]);
  expect(listDayFolders(folder.at("none"))).toEqual([]);
});

test(`at most ${sessionFoldersMax} folders of days are listed`, () => {
  using folder = new Folder();
  const dayMs = 86_400_000;
  for (let day = 0; day <= sessionFoldersMax; day += 1) {
    mkdirSync(folder.at(new Date(day * dayMs).toISOString().slice(0, 10)));
  }
  const days = listDayFolders(folder.path);
  expect(days).toHaveLength(sessionFoldersMax);
  expect(days.at(-1)).toBe(folder.at("1970-01-02"));
});

test("listRecordFiles has the record files of a folder, and follows no link to one", () => {
  using folder = new Folder();
  mkdirSync(folder.at("2026-01-01"));
  symlinkSync(folder.at("2026-01-01"), folder.at("2026-01-02"));
  for (const name of ["1.ndjson", "2.ndjson", "3.ndjson.1"]) folder.file(`2026-01-01/${name}`, "");
  const paths = listRecordFiles(folder.at("2026-01-01"));
  expect(paths).toEqual(["2", "1"].map((name) => folder.at("2026-01-01", `${name}.ndjson`)));
  expect(listRecordFiles(folder.at("2026-01-02"))).toEqual([]);
  expect(sessionFilesMax).toBeGreaterThan(3_000);
});

test("readFileFacts knows regular files alone", () => {
  using folder = new Folder();
  const path = folder.file("a.ndjson", "abc");
  expect(readFileFacts(path)).toMatchObject({ path, bytes: 3 });
  symlinkSync(path, folder.at("link.ndjson"));
  for (const name of ["link.ndjson", "none", "a.ndjson/b"]) {
    expect(readFileFacts(folder.at(name))).toBeUndefined();
  }
  expect(readFileFacts(folder.path)).toBeUndefined();
});

test("names and places", () => {
  expect(locateSessions("/s")).toBe("/s/sessions");
  expect([isRecordFileName("a.ndjson"), isRecordFileName("a.ndjson.1")]).toEqual([true, false]);
});
