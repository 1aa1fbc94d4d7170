import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dropBackups, keepBackup } from "#state/storage/clients/backups.ts";
import { Folder } from "../../../support/folder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a backup has the bytes, and is never overwritten by others", () => {
  using folder = new Folder();
  const file = folder.file("a.json", "1");
  const first = keepBackup(folder.path, file, bytes("1"));
  const second = keepBackup(folder.path, file, bytes("2"));
  if ("fault" in first || "fault" in second) throw new Error("not kept");
  expect([readFileSync(first.path, "utf8"), readFileSync(second.path, "utf8")]).toEqual(["1", "2"]);
  expect(statSync(first.path).mode & 0o777).toBe(0o600);
  expect([first.isNew, keepBackup(folder.path, file, bytes("1"))]).toEqual([
    true,
    { path: first.path, isNew: false },
  ]);
});

test("all backups of a file go when its bytes are those of one, by any path to it", () => {
  using folder = new Folder();
  const file = folder.file("a.json", "1");
  symlinkSync(file, folder.at("link"));
  keepBackup(folder.path, file, bytes("1"));
  keepBackup(folder.path, folder.at("link"), bytes("2"));
  keepBackup(folder.path, folder.file("b.json", "1"), bytes("1"));
  expect(dropBackups(folder.path, file, bytes("3"))).toBe(false);
  expect(readdirSync(folder.at("backups"))).toHaveLength(3);
  expect(dropBackups(folder.path, file, bytes("1"))).toBe(true);
  expect(readdirSync(folder.at("backups"))).toHaveLength(1);
  expect(dropBackups(folder.at("missing"), file, bytes("1"))).toBe(false);
});

test("a folder that cannot be made is a fault", () => {
  using folder = new Folder();
  const state = folder.file("state", "");
  expect(keepBackup(state, folder.path, bytes("1"))).toEqual({ fault: "ENOTDIR" });
});
