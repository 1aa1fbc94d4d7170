import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { folderFault, newFileFault } from "#os/folder-fault.ts";
import { Folder } from "../support/folder.ts";

test("a folder that can be made is in order, and is not made", () => {
  using folder = new Folder();
  expect(folderFault(folder.path)).toBeUndefined();
  expect(folderFault(folder.at("a/b/c"))).toBeUndefined();
  expect(existsSync(folder.at("a"))).toBe(false);
  const file = folder.file("file", "");
  expect([folderFault(file), folderFault(`${file}/a/b`)]).toEqual(["ENOTDIR", "ENOTDIR"]);
});

test("a new file needs its folder", () => {
  using folder = new Folder();
  const file = folder.file("file", "");
  expect(newFileFault(folder.at("new"))).toBeUndefined();
  expect(newFileFault(folder.at("none/new"))).toBe("ENOENT");
  expect(newFileFault(`${file}/new`)).toBe("ENOTDIR");
});
