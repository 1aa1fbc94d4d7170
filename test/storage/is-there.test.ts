import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { isFolder, isThere } from "#storage/is-there.ts";
import { Folder } from "../support/folder.ts";

test("a path that leads nowhere is not there, a link to itself is", () => {
  using folder = new Folder();
  const file = folder.file("file", "");
  symlinkSync("missing", folder.at("dangling"));
  symlinkSync("loop", folder.at("loop"));
  const paths = [file, folder.path, folder.at("loop"), folder.at("dangling"), `${file}/x`];
  expect(paths.map(isThere)).toEqual([true, true, true, false, false]);
  expect(paths.map(isFolder)).toEqual([false, true, false, false, false]);
});
