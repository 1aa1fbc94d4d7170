import { afterAll, expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync } from "node:fs";
import { relative } from "node:path";
import { isSameFile } from "#commands/reject-overwrites.ts";
import { Folder } from "../support/folder.ts";

const folder = new Folder();
afterAll(() => folder[Symbol.dispose]());
const file = folder.file("a", "a");
const otherFile = folder.file("other", "a");
for (const made of ["real", "deep", "deep/inner"]) mkdirSync(folder.at(made));
symlinkSync("real", folder.at("linked"));
symlinkSync("deep/inner", folder.at("deep-link"));
symlinkSync("a", folder.at("link-to-a"));
linkSync(file, folder.at("hard-a"));

test.each([
  ["another spelling", file, `${folder.path}/./a`],
  ["a path from the working directory", file, relative(process.cwd(), file)],
  ["a symbolic link", file, folder.at("link-to-a")],
  ["a hard link", file, folder.at("hard-a")],
  ["a file that does not exist", folder.at("new"), `${folder.path}/real/../new`],
  ["one in a linked folder", folder.at("real", "new"), folder.at("linked", "new")],
  ["one above a linked folder", folder.at("deep", "new"), `${folder.path}/deep-link/../new`],
  ["one in a folder that does not exist", folder.at("linked", "x", "y"), folder.at("real/x/y")],
])("isSameFile finds %s", (_, a, b) => {
  expect([isSameFile(a, b), isSameFile(b, a)]).toEqual([true, true]);
});

test.each([
  ["two files of one content", file, otherFile],
  ["two files that do not exist", folder.at("new"), folder.at("newer")],
  ["a file and none", file, folder.at("new")],
  ["a folder and a file in it", folder.path, file],
])("isSameFile keeps %s apart", (_, a, b) => {
  expect([isSameFile(a, b), isSameFile(b, a)]).toEqual([false, false]);
});
