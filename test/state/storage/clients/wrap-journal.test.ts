import { expect, test } from "bun:test";
import { appendFileSync, existsSync, rmSync, statSync, symlinkSync } from "node:fs";
import {
  wrapJournalBytesMax,
  readWrappedFiles,
  readTrimmedFiles,
  locateJournal,
  journalChange,
  type JournalNote,
} from "#state/storage/clients/wrap-journal.ts";
import { Folder } from "../../../support/folder.ts";

const note = (
  action: JournalNote["action"],
  servers: readonly string[],
  file = "/a",
): JournalNote => ({
  at: "2026-11-22T10:00:00.000Z",
  action,
  client: "cursor",
  file,
  servers,
  sha256_before: "0",
  sha256_after: "1",
  backup: null,
});

test("files with servers that are still wrapped are known", () => {
  using folder = new Folder();
  const state = folder.at("state");
  journalChange(state, note("wrap", ["x", "y"]));
  journalChange(state, note("wrap", ["z"], "/b"));
  journalChange(state, note("unwrap", ["x"]));
  journalChange(state, note("unwrap", ["z"], "/b"));
  expect(statSync(locateJournal(state)).mode & 0o777).toBe(0o600);
  const servers = new Map([["y", "2026-11-22T10:00:00.000Z"]]);
  expect([...readWrappedFiles(state)]).toEqual([["/a", { client: "cursor", servers }]]);
});

test("tools that trim has hidden are known until they are shown again, or their entry unwrapped", () => {
  using folder = new Folder();
  const state = folder.at("state");
  const journal = (action: JournalNote["action"], name: string, ...tools: readonly string[]) =>
    journalChange(state, {
      ...note(action, [name]),
      hidden: [{ entry: ["servers", name], tools }],
    });
  const known = () =>
    [...readTrimmedFiles(state)].flatMap(([file, { client, hidden }]) =>
      [...hidden].map(([entry, tools]) => [file, client, entry, ...tools]),
    );
  journalChange(state, note("wrap", ["x", "y"]));
  journal("trim", "x", "a", "b");
  journal("trim", "y", "a");
  journal("trim", "x", "c");
  journal("untrim", "x", "b");
  expect(known()).toEqual([
    ["/a", "cursor", '["servers","x"]', "a", "c"],
    ["/a", "cursor", '["servers","y"]', "a"],
  ]);
  expect(readWrappedFiles(state).get("/a")?.servers.size).toBe(2);
  journal("unwrap", "x", "a", "c", "mine");
  journal("untrim", "y", "a");
  expect(known()).toEqual([]);
});

test("lines that cannot be read are left out, and so is a journal beyond its limit", () => {
  using folder = new Folder();
  expect(readWrappedFiles(folder.path).size).toBe(0);
  for (const line of [
    "{",
    "[]",
    '{"client":"x"}',
    '{"client":"cursor","file":"/a","at":"","action":"x"}',
  ]) {
    appendFileSync(locateJournal(folder.path), `${line}\n`);
  }
  journalChange(folder.path, note("wrap", ["x"]));
  expect(readWrappedFiles(folder.path).size).toBe(1);
  const filler = wrapJournalBytesMax - statSync(locateJournal(folder.path)).size;
  appendFileSync(locateJournal(folder.path), "x".repeat(filler));
  expect(readWrappedFiles(folder.path).size).toBe(1);
  appendFileSync(locateJournal(folder.path), "\n");
  expect(readWrappedFiles(folder.path).size).toBe(0);
});

test("a journal that cannot be written is a fault", () => {
  using folder = new Folder();
  expect(journalChange(folder.file("state", ""), note("wrap", []))).toBe("EEXIST");
});

test("a journal that is a pipe or a link is a fault at once", () => {
  using folder = new Folder();
  expect(Bun.spawnSync(["mkfifo", locateJournal(folder.path)]).exitCode).toBe(0);
  expect(journalChange(folder.path, note("wrap", ["x"]))).toMatch(/^(?:ENXIO|it is a pipe)/);
  rmSync(locateJournal(folder.path));
  symlinkSync(folder.at("elsewhere"), locateJournal(folder.path));
  expect(journalChange(folder.path, note("wrap", ["x"]))).toBe("ELOOP");
  expect(existsSync(folder.at("elsewhere"))).toBe(false);
});
