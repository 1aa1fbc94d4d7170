import { expect, test } from "bun:test";
import { appendFileSync, existsSync, rmSync, statSync, symlinkSync } from "node:fs";
import {
  wrapJournalBytesMax,
  readJournaledFiles,
  journalPath,
  noteChange,
  type WrapNote,
} from "#state/storage/clients/remote-notes.ts";
import { Folder } from "../../../support/folder.ts";

const note = (action: WrapNote["action"], servers: readonly string[], file = "/a"): WrapNote => ({
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
  noteChange(state, note("wrap", ["x", "y"]));
  noteChange(state, note("wrap", ["z"], "/b"));
  noteChange(state, note("unwrap", ["x"]));
  noteChange(state, note("unwrap", ["z"], "/b"));
  expect(statSync(journalPath(state)).mode & 0o777).toBe(0o600);
  const servers = new Map([["y", "2026-11-22T10:00:00.000Z"]]);
  expect([...readJournaledFiles(state)]).toEqual([["/a", { client: "cursor", servers }]]);
});

test("lines that cannot be read are left out, and so is a journal beyond its limit", () => {
  using folder = new Folder();
  expect(readJournaledFiles(folder.path).size).toBe(0);
  for (const line of [
    "{",
    "[]",
    '{"client":"x"}',
    '{"client":"cursor","file":"/a","at":"","action":"x"}',
  ]) {
    appendFileSync(journalPath(folder.path), `${line}\n`);
  }
  noteChange(folder.path, note("wrap", ["x"]));
  expect(readJournaledFiles(folder.path).size).toBe(1);
  const filler = wrapJournalBytesMax - statSync(journalPath(folder.path)).size;
  appendFileSync(journalPath(folder.path), "x".repeat(filler));
  expect(readJournaledFiles(folder.path).size).toBe(1);
  appendFileSync(journalPath(folder.path), "\n");
  expect(readJournaledFiles(folder.path).size).toBe(0);
});

test("a journal that cannot be written is a fault", () => {
  using folder = new Folder();
  expect(noteChange(folder.file("state", ""), note("wrap", []))).toBe("EEXIST");
});

test("a journal that is a pipe or a link is a fault at once", () => {
  using folder = new Folder();
  expect(Bun.spawnSync(["mkfifo", journalPath(folder.path)]).exitCode).toBe(0);
  expect(noteChange(folder.path, note("wrap", ["x"]))).toMatch(/^(?:ENXIO|it is a pipe)/);
  rmSync(journalPath(folder.path));
  symlinkSync(folder.at("elsewhere"), journalPath(folder.path));
  expect(noteChange(folder.path, note("wrap", ["x"]))).toBe("ELOOP");
  expect(existsSync(folder.at("elsewhere"))).toBe(false);
});
