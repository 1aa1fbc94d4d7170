import { expect, test } from "bun:test";
import { chmodSync, realpathSync, symlinkSync } from "node:fs";
import { ownExecutable, programOnPath, realPath } from "#kit/os/own-executable.ts";
import { Folder } from "../../support/folder.ts";

test("findCurrentExecutable is the program that runs", () => {
  expect(ownExecutable()).toBe(realpathSync(process.execPath));
});

test("the first program of that name is found, but not in a relative folder", () => {
  using folder = new Folder();
  const program = folder.file("x", "");
  expect(programOnPath("x", `/missing:${folder.path}`)).toBeUndefined();
  chmodSync(program, 0o755);
  expect(programOnPath("x", `.::/missing:${folder.path}`)).toBe(program);
  expect(programOnPath("x", undefined)).toBeUndefined();
});

test("a path without links, or the path itself", () => {
  using folder = new Folder();
  const file = folder.file("a", "");
  symlinkSync(file, folder.at("link"));
  expect(realPath(folder.at("link"))).toBe(realPath(file));
  expect(realPath("/missing/x")).toBe("/missing/x");
});
