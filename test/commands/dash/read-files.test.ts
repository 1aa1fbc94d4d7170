import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { FileChangeDetector } from "#commands/dash/command.ts";
import { Folder } from "../../support/folder.ts";
import { fileCheckIntervalMs } from "#commands/dash/page-data.ts";

function isFound(change: (file: string, imported: string, folder: string) => void): boolean {
  using folder = new Folder();
  const file = folder.at("sessions", "2026-11-22", "a.ndjson");
  const imported = folder.at("imports", "codex", "b.ndjson");
  for (const path of [file, imported]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "one\ntwo\n");
  }
  const files = new FileChangeDetector(folder.path);
  files.remember();
  if (files.hasChanged(0)) throw new Error("a change was found before there was one");
  change(file, imported, folder.path);
  if (files.hasChanged(fileCheckIntervalMs - 1)) throw new Error("files were examined too soon");
  const found = files.hasChanged(1e12);
  files.remember();
  if (files.hasChanged(2e12)) throw new Error("a change was found twice");
  return found;
}

function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

describe("hasChanged", () => {
  test("a file that grows and a new file are followed elsewhere", () => {
    expect(isFound((file) => appendFileSync(file, "three\n"))).toBe(false);
    expect(isFound((file) => writeFileSync(`${file}.ndjson`, "new\n"))).toBe(false);
  });

  test("detects a file that was removed, replaced or truncated", () => {
    expect(isFound((file) => unlinkSync(file))).toBe(true);
    expect(isFound((file) => truncateSync(file, 4))).toBe(true);
    expect(isFound((file) => replace(file, "one\ntwo\nthree\n"))).toBe(true);
    expect(isFound((_, __, folder) => rmSync(folder, { recursive: true }))).toBe(true);
  });

  test("detects any change of imported logs", () => {
    expect(isFound((_, imported) => appendFileSync(imported, "three\n"))).toBe(true);
    expect(isFound((_, imported) => replace(imported, "two\none\n"))).toBe(true);
    expect(isFound((_, imported) => writeFileSync(`${imported}.ndjson`, "x"))).toBe(true);
    expect(isFound((_, imported) => unlinkSync(imported))).toBe(true);
  });
});
