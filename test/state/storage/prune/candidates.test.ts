import { expect, test } from "bun:test";
import { closeSync, linkSync, mkdirSync, openSync, symlinkSync, utimesSync } from "node:fs";
import { userInfo } from "node:os";
import { sessionFoldersMax } from "#state/storage/live/session-files.ts";
import { pruneAgeMinMs, findPrunableFiles } from "#state/storage/prune/choose-files.ts";
import { markInUse } from "#kit/os/c-library.ts";
import { Folder } from "../../../support/folder.ts";

const nowMs = Date.now();
const { uid } = userInfo();
const id = "0a1b2c3d";
const uuid = `${id}-0000-4000-8000-000000000000`;

function made(folder: Folder, name: string, agoMs = pruneAgeMinMs + 60_000): string {
  mkdirSync(folder.at("sessions", "2026-01-01"), { recursive: true });
  mkdirSync(folder.at("spills"), { recursive: true });
  const path = folder.file(name, "text");
  const seconds = (nowMs - agoMs) / 1000;
  utimesSync(path, seconds, seconds);
  return path;
}

const found = (folder: Folder, as = uid) => findPrunableFiles(folder.path, { uid: as, nowMs });

test("record files and saved answers are ours by place and name", () => {
  using folder = new Folder();
  const records = made(folder, `sessions/2026-01-01/120000-my.server-${id}.ndjson`);
  const answer = made(folder, `spills/${uuid}-1.json`);
  for (const name of [
    "sessions/2026-01-01/notes.ndjson",
    "sessions/2026-01-01/120000-x-0a1b2c3d.txt",
    "sessions/2026-01-01/120000-x-nothexxx.ndjson",
    "sessions/120000-x-0a1b2c3d.ndjson",
    "spills/notes.json",
    "definition-prices.json",
  ]) {
    made(folder, name);
  }
  const { files, liveSessions } = found(folder);
  expect(files.map(({ path, kind, bytes }) => [path, kind, bytes])).toEqual([
    [records, "records", 4],
    [answer, "answer", 4],
  ]);
  expect(liveSessions).toBe(0);
});

test("records of imports are ours, of any age, as far as this user wrote them", () => {
  using folder = new Folder();
  mkdirSync(folder.at("imports", "codex"), { recursive: true });
  const imported = made(folder, "imports/codex/a.ndjson.zst", 0);
  made(folder, "imports/codex/notes.txt");
  made(folder, "imports/servers.json");
  symlinkSync(folder.at("imports/codex"), folder.at("imports/linked"));
  expect(found(folder).files).toMatchObject([{ path: imported, kind: "imported" }]);
  expect(found(folder, uid + 1).files).toEqual([]);
});

test("a session that runs keeps its records and its answers", () => {
  using folder = new Folder();
  const path = made(folder, `sessions/2026-01-01/120000-x-${id}.ndjson`);
  made(folder, `spills/${uuid}-1.json`);
  const second = made(folder, "sessions/2026-01-01/130000-x-ffffffff.ndjson");
  const fd = openSync(path, "r");
  markInUse(fd);
  const { files, liveSessions, liveBytes } = found(folder);
  expect([files.map((file) => file.path), liveSessions, liveBytes]).toEqual([[second], 1, 4]);
  closeSync(fd);
  expect(found(folder).files).toHaveLength(3);
});

test("files that changed lately, and such from the future, are not touched", () => {
  using folder = new Folder();
  made(folder, `sessions/2026-01-01/120000-x-${id}.ndjson`, pruneAgeMinMs - 60_000);
  made(folder, "sessions/2026-01-01/120000-x-ffffffff.ndjson", -3_600_000);
  made(folder, `spills/11111111-0000-4000-8000-000000000000-1.json`, 0);
  expect(found(folder)).toMatchObject({ files: [], liveSessions: 2 });
});

test("links, hard links, other owners and folders behind links are not ours", () => {
  using folder = new Folder();
  using elsewhere = new Folder();
  const target = made(folder, `sessions/2026-01-01/120000-x-${id}.ndjson`);
  expect(found(folder, uid + 1).files).toEqual([]);
  linkSync(target, elsewhere.at("hard"));
  expect(found(folder).files).toEqual([]);
  const foreign = made(elsewhere, "sessions/2026-01-01/120000-x-aaaaaaaa.ndjson");
  symlinkSync(foreign, folder.at("sessions/2026-01-01/130000-x-bbbbbbbb.ndjson"));
  symlinkSync(elsewhere.at("sessions/2026-01-01"), folder.at("sessions/2026-01-02"));
  expect(found(folder).files).toEqual([]);
  using linked = new Folder();
  made(elsewhere, `spills/${uuid}-1.json`);
  symlinkSync(elsewhere.at("spills"), linked.at("spills"));
  expect(found(linked).files).toEqual([]);
});

test("without a state folder there is nothing", () => {
  using folder = new Folder();
  expect(findPrunableFiles(folder.at("none"), { uid, nowMs })).toEqual({
    files: [],
    liveSessions: 0,
    liveBytes: 0,
    foreign: 0,
    unreadable: [],
  });
});

test("days before those that tail follows are examined too", () => {
  using folder = new Folder();
  made(folder, `sessions/2026-01-01/120000-x-${id}.ndjson`);
  for (let day = 0; day <= sessionFoldersMax; day += 1) {
    const name = new Date(Date.UTC(2027, 0, day)).toISOString().slice(0, 10);
    mkdirSync(folder.at("sessions", name));
  }
  expect(found(folder).files).toHaveLength(1);
});
