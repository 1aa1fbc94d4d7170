import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import {
  findMarkedFiles,
  sessionFoldersMax,
  listDayFolders,
  readFileFacts,
  isRecordFileName,
  listRecordFiles,
  sessionFilesMax,
} from "#state/storage/live/session-files.ts";
import { locateSessions } from "#state/storage/folders.ts";
import { makeClientMark } from "#state/storage/record-file.ts";
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

function makeFile(folder: Folder, day: string, name: string, bytes = 10): string {
  mkdirSync(folder.at(day), { recursive: true });
  return folder.file(`${day}/${name}`, "x".repeat(bytes));
}

describe("findMarkedFiles", () => {
  const hashes = ["a", "b"].map((letter) => letter.repeat(64));
  const [ours = "", theirs = ""] = hashes;

  test("has the files of one session among thousands, oldest first", () => {
    using folder = new Folder();
    const days = ["2026-11-02", "2026-10-31", "2026-11-01"];
    const made = Array.from({ length: 3_000 }, (_, at) => {
      const [hash, process] = [hashes[at % 7] ?? "c".repeat(64), at % 11];
      const number = String(at).padStart(6, "0");
      const name = `${number}-server-${makeClientMark(hash, process)}-0a1b2c3d.ndjson`;
      return { hash, process, path: makeFile(folder, days[at % 3] ?? "", name) };
    });
    const paths = (isChosen: (file: (typeof made)[number]) => boolean): string[] =>
      made.flatMap((file) => (isChosen(file) ? [file.path] : [])).toSorted();
    expect(findMarkedFiles(folder.path, { session: ours })).toEqual({
      paths: paths(({ hash }) => hash === ours),
      isComplete: true,
    });
    expect(findMarkedFiles(folder.path, { process: "1" }).paths).toEqual(
      paths(({ process }) => process === 1),
    );
  });

  test("the name of a server is no mark", () => {
    using folder = new Folder();
    const mark = makeClientMark(theirs, 7);
    for (const server of [
      ours,
      `x-${makeClientMark(ours, 7)}`,
      `x-${makeClientMark(ours, 7)}-0a1b2c3d`,
    ])
      makeFile(folder, "2026-11-01", `120000-${server}-${mark}-0a1b2c3d.ndjson`);
    makeFile(folder, "2026-11-01", "120000-garden.7-0a1b2c3d.ndjson");
    makeFile(folder, "2026-11-01", `120000-x-${makeClientMark(ours, 7)}-0a1b2c3d.ndjson.1`);
    expect(findMarkedFiles(folder.path, { session: ours }).paths).toEqual([]);
    expect(findMarkedFiles(folder.path, { process: "7" }).paths).toHaveLength(3);
  });

  test("limits leave out old days, old changes and the oldest bytes", () => {
    using folder = new Folder();
    const name = `120000-x-${makeClientMark(ours, 7)}-0a1b2c3d.ndjson`;
    const [first = "", second = "", third = ""] = ["2026-10-01", "2026-10-02", "2026-10-03"].map(
      (day) => makeFile(folder, day, name),
    );
    utimesSync(second, 100, 100);
    const find = (limits: Parameters<typeof findMarkedFiles>[2]) =>
      findMarkedFiles(folder.path, { session: ours }, limits);
    expect(find({ daysMax: 2 })).toEqual({ paths: [second, third], isComplete: true });
    expect(find({ sinceMs: 100_001 })).toEqual({ paths: [first, third], isComplete: true });
    expect(find({ sinceMs: 100_000 }).paths).toHaveLength(3);
    expect(find({ bytesMax: 30 })).toEqual({ paths: [first, second, third], isComplete: true });
    expect(find({ bytesMax: 29 })).toEqual({ paths: [second, third], isComplete: false });
    expect(findMarkedFiles(folder.at("none"), { session: ours }).paths).toEqual([]);
  });
});
